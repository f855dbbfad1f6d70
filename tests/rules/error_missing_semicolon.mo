// rule: a missing semicolon is found where it should stand
// expect exit 3
// expect error 7 ';'
model ErrorMissingSemicolon
  Real x, y;
equation
  x = 2*time
  y = 3;
  annotation(experiment(StopTime = 1));
end ErrorMissingSemicolon;
