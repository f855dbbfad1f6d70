// rule: the name behind end is that of the model
// expect exit 3
// expect error 7:5 'ErrorEndNam'
model ErrorEndName
  Real x = 1;
  annotation(experiment(StopTime = 1));
end ErrorEndNam;
