// A planet on an ellipse of eccentricity 0.6; energy and angular momentum should stay.
// reference: x = -0.770075578411 at t = 20, tolerance 1e-3
// from: closed form (Kepler's equation)
model Kepler "a planet on its ellipse"
  parameter Real e = 0.6;
  Real x(start = 1 - e, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = sqrt((1 + e)/(1 - e)), fixed = true);
  Real r, energy, momentum;
equation
  r = sqrt(x^2 + y^2);
  der(x) = u;
  der(y) = v;
  der(u) = -x/r^3;
  der(v) = -y/r^3;
  energy = (u^2 + v^2)/2 - 1/r;
  momentum = x*v - y*u;
  annotation(experiment(StopTime = 20, Tolerance = 1e-8));
end Kepler;
