// A pendulum described by its angle: an ordinary differential equation, with the end of the rod
// as additional output.
// reference: phi = -1.49845298345 at t = 9, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model PendulumAngle "a pendulum swinging wide"
  parameter Real L(unit = "m") = 1, g(unit = "m/s2") = 9.81;
  Real phi(unit = "rad", start = 2, fixed = true), w(unit = "rad/s", start = 0, fixed = true);
  Real x(unit = "m") = L*sin(phi), y(unit = "m") = -L*cos(phi);
equation
  der(phi) = w;
  der(w) = -g/L*sin(phi);
  annotation(experiment(StopTime = 10));
end PendulumAngle;
