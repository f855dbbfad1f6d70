// rule: signs of other languages name the cure (and)
// expect exit 3
// expect error 7:21 'write 'and''

model ErrorWords
  Real x = time;
  Boolean y = x > 0 && x < 1;
  annotation(experiment(StopTime = 1));
end ErrorWords;
