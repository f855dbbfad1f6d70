// cause: none
// expect: x(3.141592653589793) = 1 +- 1e-3
// why: x = exp(27.6 sin(t)) rises to 1e12 at t = pi/2 and is back at 1 at t = pi.
model HealthyTransient "parametric growth and decay"
  parameter Real A = 27.6;
  Real x(start = 1, fixed = true), rate, y(start = 0, fixed = true);
equation
  rate = A*cos(time);
  der(x) = rate*x;
  der(y) = 1 - y;
  annotation(experiment(StopTime = 3.141592653589793, Tolerance = 1e-8));
end HealthyTransient;
