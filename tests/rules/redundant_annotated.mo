// rule: an annotated invariant is set aside, whatever the other equations are, without a warning
// expect x(1) = cos(1 + acos(0.6))
// expect no warning
// expect y(1) = sin(1 + acos(0.6))
model RedundantAnnotated
  Real x(start = 0.6, fixed = true), y(start = 1);
equation
  x^2 + y^2 = 1 annotation(__daedal(invariant = true));
  der(x) = -y;
  der(y) = x;
  annotation(experiment(StopTime = 1));
end RedundantAnnotated;
