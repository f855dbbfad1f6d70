// A pendulum in Cartesian coordinates that is fast enough to turn over: neither x nor y can be the
// state all the time, so that states must be selected again or the constraints projected on.
// reference: x = 0.3397542801745 at t = 19.9, tolerance 1e-3
// from: extrapolation method at 1e-13 on the angle (tests/golden/reference_values.py)
model PendulumOverTop "a pendulum that goes over the top, index 3"
  parameter Real L(unit = "m") = 1, g(unit = "m/s2") = 9.81, m(unit = "kg") = 1;
  Real x(unit = "m", start = 0, fixed = true), y(unit = "m", start = -1);
  Real u(unit = "m/s", start = 7, fixed = true), v(unit = "m/s", start = 0);
  Real F(unit = "N/m") "rod force by length";
equation
  der(x) = u;
  der(y) = v;
  m*der(u) = -F*x;
  m*der(v) = -F*y - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 20, Tolerance = 1e-7));
end PendulumOverTop;
