// Three equal masses chase each other along a figure eight (Moore; Chenciner and Montgomery).
// Shows arrays, and sums over the other bodies.
// reference: x[1] = 0.101981780074 at t = 2, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model ThreeBody "three bodies on a figure eight"
  parameter Real px = 0.97000436, py = -0.24308753, vx = 0.93240737, vy = 0.86473146;
  Real x[3](start = {px, -px, 0}, each fixed = true), y[3](start = {py, -py, 0}, each fixed = true);
  Real u[3](start = {vx/2, vx/2, -vx}, each fixed = true);
  Real v[3](start = {vy/2, vy/2, -vy}, each fixed = true);
  Real d12, d13, d23 "cubes of the distances";
equation
  d12 = ((x[1] - x[2])^2 + (y[1] - y[2])^2)^1.5;
  d13 = ((x[1] - x[3])^2 + (y[1] - y[3])^2)^1.5;
  d23 = ((x[2] - x[3])^2 + (y[2] - y[3])^2)^1.5;
  der(x) = u;
  der(y) = v;
  der(u[1]) = (x[2] - x[1])/d12 + (x[3] - x[1])/d13;
  der(v[1]) = (y[2] - y[1])/d12 + (y[3] - y[1])/d13;
  der(u[2]) = (x[1] - x[2])/d12 + (x[3] - x[2])/d23;
  der(v[2]) = (y[1] - y[2])/d12 + (y[3] - y[2])/d23;
  der(u[3]) = (x[1] - x[3])/d13 + (x[2] - x[3])/d23;
  der(v[3]) = (y[1] - y[3])/d13 + (y[2] - y[3])/d23;
  annotation(experiment(StopTime = 6.3259, Tolerance = 1e-8));
end ThreeBody;
