// rule: a string without its end is reported where it begins
// expect exit 3
// expect error 5:14 'not closed'
model ErrorUnclosedString
  Real x = 1 "the height;
  annotation(experiment(StopTime = 1));
end ErrorUnclosedString;
