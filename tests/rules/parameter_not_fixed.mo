// rule: a parameter with fixed = false is found by an initial equation; others may depend on it
// der(x) = -k*x = -3 at x = 1, so k = 3; x = exp(-3 t)
// expect y(0.5) = 3
// expect z(0.5) = 6
// expect x(0.5) = 0.2231302 +- 1e-4
model ParameterNotFixed
  parameter Real k(fixed = false, start = 1);
  parameter Real q = 2*k;
  Real x(start = 1, fixed = true), y = k, z = q;
initial equation
  der(x) = -3;
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 0.5));
end ParameterNotFixed;
