// rule: reductions of no elements: 0, 1, the greatest and the least number; transpose() exchanges the first two dimensions
// run solve
// expect total(1) = 0
// expect least(1) = 1.7976931348623157e308
// expect greatest(1) = -2147483647
// expect few(1) = 3
// expect a[1,2,1](1) = 3
// expect a[2,1,1](1) = 2
// expect b[2,1,3](1) = 6
model ArrayOfNone
  parameter Integer n = 0;
  Integer w[n];
  Real v[0], total, least, few;
  Integer greatest;
  Real a[2, 2, 1] = transpose({{{1}, {2}}, {{3}, {4}}});
  Real b[2, 1, 3] = transpose({{{1, 2, 3}, {4, 5, 6}}});
equation
  total = sum(k for k in 1.0:0.0) + product(v) - 1;
  least = min(v);
  greatest = max(w);
  few = min(min(v), 3);
  annotation(experiment(StopTime = 1));
end ArrayOfNone;
