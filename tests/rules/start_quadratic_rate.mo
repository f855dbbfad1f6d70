// rule: a rate that follows from a square has a start wherever the square is positive
// expect y(0) = 1
// expect x(1) = 3.25
// expect v(0) = acosh(3)
// expect q(0) = 1
model StartQuadraticRate
  Real x(start = 2, fixed = true), y;
  Real u(start = 3, fixed = true), v;
  Real p(start = 2, fixed = true), q;
equation
  der(x) = y;
  y^2 + 1 = x;
  cosh(v) = u;
  der(u) = v;
  q = der(p);
  q^2 = p - 1;
  annotation(experiment(StopTime = 1));
end StartQuadraticRate;
