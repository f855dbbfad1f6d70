// rule: clocks are refused
// expect exit 3
// expect error 5 'clock'
model ErrorClock
  Clock c = Clock(0.1);
  Real y = time;
  annotation(experiment(StopTime = 1));
end ErrorClock;
