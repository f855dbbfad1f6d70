// rule: a subscript lies between 1 and the size
// expect exit 3
// expect error 6 '4'
model ErrorSubscriptRange
  Real x[3] = {1, 2, 3};
  Real y = x[4];
  annotation(experiment(StopTime = 1));
end ErrorSubscriptRange;
