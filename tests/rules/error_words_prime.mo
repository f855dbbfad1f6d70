// rule: signs of other languages name the cure (prime)
// expect exit 3
// expect error 7:13 'der(x)'

model ErrorWords
  Real x = time;
  Real y = x'
  annotation(experiment(StopTime = 1));
end ErrorWords;
