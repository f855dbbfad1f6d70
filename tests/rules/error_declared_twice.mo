// rule: a name may be declared once
// expect exit 3
// expect error 6 'level'
model ErrorDeclaredTwice
  Real level;
  Real level;
equation
  level = 1;
  annotation(experiment(StopTime = 1));
end ErrorDeclaredTwice;
