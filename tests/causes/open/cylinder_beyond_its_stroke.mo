// cause: bounds
// culprits: x
// time: 1.8132 +- 0.02
// why: x = 0.1 (1 - cos(t)) swings to 0.2 m, the stroke declared is 0.124 m: cos(t) = -0.24 at t = 1.8132.
model CylinderBeyondItsStroke "hydraulic cylinder on a spring, the stops were not modelled"
  parameter Real m = 20, k = 20, F = 2;
  Real x(start = 0, fixed = true, min = 0, max = 0.124), v(start = 0, fixed = true), p;
equation
  der(x) = v;
  m*der(v) = F - k*x;
  p = F/2e-3;
  annotation(experiment(StopTime = 3));
end CylinderBeyondItsStroke;
