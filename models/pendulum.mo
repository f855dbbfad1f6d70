// A pendulum described by the position of its end and by the length of the rod: index 3.  The
// velocity and the force of the rod follow by differentiating the length twice.
// reference: x = 0.498373709058 at t = 9, tolerance 1e-3
// from: closed form (Jacobi's elliptic functions)
model Pendulum "a pendulum by its coordinates, index 3"
  parameter Real L(unit = "m") = 1 "rod", g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 1), y(unit = "m", start = 0, fixed = true);
  Real u(unit = "m/s"), v(unit = "m/s", start = 0, fixed = true);
  Real F "pull of the rod for mass and length";
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x;
  der(v) = -F*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10));
end Pendulum;
