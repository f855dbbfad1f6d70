// rule: der(e) is differentiated: der(x^2) = 2 x der(x), der(sin(y)) = cos(y) der(y)
// der(x^2) = 2 and x(0) = 1: x = sqrt(1 + 2 t); y = t, s = cos(t)
// expect x(1.5) = 2 +- 1e-4
// expect s(1.5) = cos(1.5) +- 1e-4
// expect p(1.5) = 3 +- 1e-4
model DerOfExpression
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), s, p;
equation
  der(x^2) = 2;
  der(y) = 1;
  s = der(sin(y));
  p = der(y*y);
  annotation(experiment(StopTime = 1.5));
end DerOfExpression;
