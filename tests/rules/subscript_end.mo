// rule: `end` in a subscript is the size of that dimension
// expect a(1) = 4
// expect b(1) = 3
// expect c(1) = 6
// expect d[2](1) = 4
model SubscriptEnd
  Real x[4] = {1, 2, 3, 4}*time;
  Real A[2, 3] = {{1, 2, 3}, {4, 5, 6}};
  Real a = x[end];
  Real b = x[end - 1];
  Real c = A[end, end];
  Real d[2] = x[end - 1:end];
  annotation(experiment(StopTime = 1));
end SubscriptEnd;
