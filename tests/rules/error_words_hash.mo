// rule: signs of other languages name the cure (hash)
// expect exit 3
// expect error 7:11 'a comment begins with '//''

model ErrorWords
  Real x = time;
  Real y; # a comment
  annotation(experiment(StopTime = 1));
end ErrorWords;
