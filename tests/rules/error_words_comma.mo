// rule: signs of other languages name the cure (comma)
// expect exit 3
// expect error 7:14 'decimal point'

model ErrorWords
  Real x = time;
  Real y = 1,5;
  annotation(experiment(StopTime = 1));
end ErrorWords;
