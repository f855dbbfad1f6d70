// A planet whose attraction deviates a little from Newton's law, so that the ellipse turns: energy
// and angular momentum stay.  Over long times --method rattle keeps the orbit in its ring.
// reference: x = 0.50263867485 at t = 50, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model KeplerPerturbed "a planet on an ellipse that turns, for long times"
  parameter Real e = 0.6, eps = 0.005 "strength of the perturbation";
  Real x(start = 1 - e, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = sqrt((1 + e)/(1 - e)), fixed = true);
  Real r, energy, momentum;
equation
  r = sqrt(x^2 + y^2);
  der(x) = u;
  der(y) = v;
  der(u) = -x/r^3 - 3*eps*x/r^5;
  der(v) = -y/r^3 - 3*eps*y/r^5;
  energy = (u^2 + v^2)/2 - 1/r - eps/r^3;
  momentum = x*v - y*u;
  annotation(experiment(StopTime = 50, Tolerance = 1e-8));
end KeplerPerturbed;
