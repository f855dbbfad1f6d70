// rule: attributes of arrays: one value for each element, or the same with `each`
// expect x[1](0) = 1
// expect x[2](0) = 5
// expect y[2](0) = 7
// expect y[2](1) = 8
model StartOfArray
  Real x[2](start = {1, 5}, each fixed = true);
  Real y[2](each start = 7, each fixed = true);
equation
  der(x) = {0, 0};
  der(y) = {1, 1};
  annotation(experiment(StopTime = 1));
end StartOfArray;
