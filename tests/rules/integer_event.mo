// rule: integer, floor and ceil make an event at each jump
// expect n(0.5-) = 0
// expect n(0.5+) = 1
// expect n(0.75) = 1
// expect f(0.75) = 1
// expect c(0.75) = 2
// expect x(0.75) = 0.25
model IntegerEvent
  Integer n = integer(2*time);
  Real f = floor(2*time), c = ceil(2*time);
  Real x(start = 0, fixed = true);
equation
  der(x) = n;
  annotation(experiment(StopTime = 0.9));
end IntegerEvent;
