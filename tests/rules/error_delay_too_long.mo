// rule: a delay time never exceeds its bound
// expect exit 1
// expect error 'line 6'
model DelayTooLong
  Real x = time;
  Real y = delay(x, 0.5 + time, 1);
  annotation(experiment(StopTime = 2));
end DelayTooLong;
