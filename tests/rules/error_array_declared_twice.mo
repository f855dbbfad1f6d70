// rule: two arrays of the same name are an error, not elements declared one by one
// expect exit 3
// expect error 6:8 'declared twice'
model ErrorArrayDeclaredTwice
  Real y;
  Real a[3];
  Real a[4];
equation
  y = time;
  annotation(experiment(StopTime = 1));
end ErrorArrayDeclaredTwice;
