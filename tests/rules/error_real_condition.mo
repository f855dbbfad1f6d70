// rule: a condition is Boolean
// expect exit 3
// expect error 6 'Boolean'
model ErrorRealCondition
  Real x = time;
  Real y = if x then 1 else 2;
  annotation(experiment(StopTime = 1));
end ErrorRealCondition;
