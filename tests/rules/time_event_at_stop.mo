// rule: an event at the stop time is taken and written
// expect n(1-) = 1
// expect n(1+) = 2
// expect end 1
model TimeEventAtStop
  Integer n = if time < 1 then 1 else 2;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end TimeEventAtStop;
