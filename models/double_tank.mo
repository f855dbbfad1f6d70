// Water runs from one tank into a second and out, each by Torricelli's law.  The inflow drops at
// t = 300: a time event, which is hit exactly.
// reference: h2 = 0.03261977641 at t = 500, tolerance 1e-4
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model DoubleTank "two tanks in a row"
  parameter Real A(unit = "m2") = 0.05, a(unit = "m2") = 5e-4, g(unit = "m/s2") = 9.81;
  Real h1(unit = "m", start = 0.1, fixed = true), h2(unit = "m", start = 0.05, fixed = true);
  Real qIn(unit = "m3/s"), q1(unit = "m3/s"), q2(unit = "m3/s");
equation
  qIn = if time < 300 then 1.2e-3 else 0.4e-3;
  q1 = a*sqrt(2*g*h1);
  q2 = a*sqrt(2*g*h2);
  A*der(h1) = qIn - q1;
  A*der(h2) = q1 - q2;
  annotation(experiment(StopTime = 600));
end DoubleTank;
