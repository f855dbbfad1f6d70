// rule: start values that grow without bound are no solution of the start
// expect exit 5
// expect error 'grows without bound'
model RunawayStart
  Real x(start = 1, fixed = true), y(start = 0.3), u(start = 1, fixed = true), v, lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda * x;
  der(v) = -lambda * y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end RunawayStart;
