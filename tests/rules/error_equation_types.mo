// rule: the two sides of an equation have the same type
// expect exit 3
// expect error 7 'Boolean'
model ErrorEquationTypes
  Boolean b;
equation
  b = 2.5;
  annotation(experiment(StopTime = 1));
end ErrorEquationTypes;
