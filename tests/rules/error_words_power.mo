// rule: signs of other languages name the cure (power)
// expect exit 3
// expect error 7:14 'a power is written x^y'

model ErrorWords
  Real x = time;
  Real y = x**2;
  annotation(experiment(StopTime = 1));
end ErrorWords;
