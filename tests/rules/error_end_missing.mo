// rule: a loop that is not closed
// expect exit 3
// expect error 'for'
model ErrorEndMissing
  Real x[2];
equation
  for i in 1:2 loop
    x[i] = i;
  annotation(experiment(StopTime = 1));
end ErrorEndMissing;
