// cause: tolerance_too_small
// why: the annotation asks for a relative tolerance of 1e-20; double precision has 1.1e-16.
model OrbitTolerance "the best possible accuracy was wanted"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true), v(start = 1, fixed = true), r;
equation
  r = sqrt(x^2 + y^2);
  der(x) = u;
  der(y) = v;
  der(u) = -x/r^3;
  der(v) = -y/r^3;
  annotation(experiment(StopTime = 10, Tolerance = 1e-20));
end OrbitTolerance;
