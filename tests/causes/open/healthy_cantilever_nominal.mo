// cause: none
// expect: x(1e-4) = -8.390715290764524e-13 +- 1e-16
// why: x = 1e-12 cos(1e5 t); nominal values say how large the variables are.
model HealthyCantileverNominal "tiny units, declared"
  parameter Real w = 1e5;
  Real x(start = 1e-12, fixed = true, nominal = 1e-12), v(start = 0, fixed = true, nominal = 1e-7), a(nominal = 1e-2);
equation
  der(x) = v;
  der(v) = a;
  a = -w^2*x;
  annotation(experiment(StopTime = 1e-4));
end HealthyCantileverNominal;
