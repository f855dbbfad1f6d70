// rule: a relation whose operands it determines itself, and which no equation of a state reads, is checked as well
// expect exit 1
// expect error 'y > u in line 9'
model ErrorRelationReadsItself
  Real u, y, x(start = 0, fixed = true);
equation
  der(x) = 1;
  u = x - 0.5;
  y = if y > u then u - 1 else u + 1;
  annotation(experiment(StopTime = 1));
end ErrorRelationReadsItself;
