// cause: domain_error
// culprits: tau, y
// time: 0
// why: the filter was to be switched off by tau = 0, but the equation divides by tau.
model FilterWithoutTimeConstant "first-order filter of a measurement"
  parameter Real tau = 0;
  Real y(start = 0.5, fixed = true), u, x(start = 1, fixed = true);
equation
  u = 1 + 0.2*sin(time);
  der(y) = (u - y)/tau;
  der(x) = y - x;
  annotation(experiment(StopTime = 5));
end FilterWithoutTimeConstant;
