// rule: an array has as many subscripts as dimensions, at most
// expect exit 3
// expect error 6
model ErrorSubscriptCount
  Real x[3] = {1, 2, 3};
  Real y = x[1, 2];
  annotation(experiment(StopTime = 1));
end ErrorSubscriptCount;
