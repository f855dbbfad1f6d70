// rule: a model with nothing to solve still has a result
// expect x(0) = 3
// expect x(2) = 3
// expect end 2
model OnlyConstants
  Real x = 3;
  annotation(experiment(StopTime = 2));
end OnlyConstants;
