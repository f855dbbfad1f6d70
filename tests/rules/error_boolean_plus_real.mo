// rule: arithmetic needs numbers
// expect exit 3
// expect error 8 'Boolean'
model ErrorBooleanPlusReal
  Boolean b = time > 1;
  Real y;
equation
  y = b + 1.5;
  annotation(experiment(StopTime = 1));
end ErrorBooleanPlusReal;
