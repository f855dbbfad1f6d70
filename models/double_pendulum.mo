// Two masses on two rigid rods in Cartesian coordinates: the lengths of the rods are constraints
// and their forces the multipliers, index 3.  It starts wide, where the motion is chaotic.
// reference: x2 = 1.022238492078 at t = 5, tolerance 1e-3
// from: extrapolation method at 1e-13 on the two angles (tests/golden/reference_values.py)
model DoublePendulum "a double pendulum with rod forces, index 3"
  parameter Real m1(unit = "kg") = 1, m2(unit = "kg") = 0.5;
  parameter Real L1(unit = "m") = 1, L2(unit = "m") = 0.8, g(unit = "m/s2") = 9.81;
  Real x1(unit = "m", start = 1), y1(unit = "m", start = 0, fixed = true);
  Real x2(unit = "m", start = 1.8), y2(unit = "m", start = 0, fixed = true);
  Real u1(unit = "m/s", start = 0), v1(unit = "m/s", start = 0, fixed = true);
  Real u2(unit = "m/s", start = 0), v2(unit = "m/s", start = 0, fixed = true);
  Real F1(unit = "N/m"), F2(unit = "N/m") "rod force by length";
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  m1*der(u1) = -F1*x1 + F2*(x2 - x1);
  m1*der(v1) = -F1*y1 + F2*(y2 - y1) - m1*g;
  m2*der(u2) = -F2*(x2 - x1);
  m2*der(v2) = -F2*(y2 - y1) - m2*g;
  x1^2 + y1^2 = L1^2;
  (x2 - x1)^2 + (y2 - y1)^2 = L2^2;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end DoublePendulum;
