// rule: signs of other languages name the cure (minus)
// expect exit 3
// expect error 7:12 'write '-''

model ErrorWords
  Real x = time;
  Real y = −x;
  annotation(experiment(StopTime = 1));
end ErrorWords;
