// rule: a quotient is a Real and cannot be the value of an Integer
// expect exit 3
// expect error 5 'count'
model IntegerFromDivision
  Integer count = 4/2;
  annotation(experiment(StopTime = 1));
end IntegerFromDivision;
