// rule: a < b < c is not allowed
// expect exit 3
// expect error 7
model RelationNotAssociative
  Boolean b;
equation
  b = 0 < time < 1;
  annotation(experiment(StopTime = 1));
end RelationNotAssociative;
