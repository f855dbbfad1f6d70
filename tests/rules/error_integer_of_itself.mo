// rule: an Integer that is its own successor has no value, and the message names it
// expect exit not 0
// expect error 'n changes whenever'
model ErrorIntegerOfItself
  Real x(start = 1, fixed = true);
  Integer n(start = 0);
equation
  der(x) = -x;
  n = n + 1;
  annotation(experiment(StopTime = 1));
end ErrorIntegerOfItself;
