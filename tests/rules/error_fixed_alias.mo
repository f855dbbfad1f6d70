// rule: two names of one variable with different fixed values contradict each other
// expect exit 5
// expect error 'y is fixed at 2'
model ErrorFixedAlias
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  x = y;
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end ErrorFixedAlias;
