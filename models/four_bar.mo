// Four-bar linkage in natural coordinates: the two moving joints are the coordinates, the lengths
// of the three bars the constraints, and the mass matrix of uniform bars is constant.  Index 3.
// reference: x2 = 1.259271330527 at t = 3, tolerance 1e-4
// from: extrapolation method at 1e-13 on the crank angle (tests/golden/reference_values.py)
model FourBar "a four-bar linkage turned by its weight, index 3"
  parameter Real r1(unit = "m") = 1, r2(unit = "m") = 2.5, r3(unit = "m") = 2 "bars";
  parameter Real d(unit = "m") = 2.5 "distance of the fixed joints", g(unit = "m/s2") = 9.81;
  parameter Real m1(unit = "kg") = 1, m2(unit = "kg") = 2.5, m3(unit = "kg") = 2;
  Real x1(unit = "m", start = 0.6, fixed = true), y1(unit = "m", start = 0.8);
  Real x2(unit = "m", start = 2.5), y2(unit = "m", start = 2);
  Real u1(unit = "m/s", start = 6, fixed = true), v1(unit = "m/s", start = -4);
  Real u2(unit = "m/s"), v2(unit = "m/s");
  Real F1(unit = "N/m"), F2(unit = "N/m"), F3(unit = "N/m") "bar forces by length";
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  (m1 + m2)/3*der(u1) + m2/6*der(u2) = -F1*x1 + F2*(x2 - x1);
  (m1 + m2)/3*der(v1) + m2/6*der(v2) = -F1*y1 + F2*(y2 - y1) - (m1 + m2)/2*g;
  m2/6*der(u1) + (m2 + m3)/3*der(u2) = -F2*(x2 - x1) - F3*(x2 - d);
  m2/6*der(v1) + (m2 + m3)/3*der(v2) = -F2*(y2 - y1) - F3*y2 - (m2 + m3)/2*g;
  x1^2 + y1^2 = r1^2;
  (x2 - x1)^2 + (y2 - y1)^2 = r2^2;
  (x2 - d)^2 + y2^2 = r3^2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-7));
end FourBar;
