// cause: none
// expect: x(120) = -1.706015449 +- 1e-3
// why: the relaxation oscillator with mu = 100 after its first jump; Runge-Kutta with steps of 1e-5 and 5e-6, which agree to
//     1e-9.
model HealthyHeartOfVanDerPol "stiff, with a jump that is smooth"
  parameter Real mu = 100;
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = mu*(1 - x^2)*v - x;
  annotation(experiment(StopTime = 120));
end HealthyHeartOfVanDerPol;
