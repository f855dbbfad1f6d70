// rule: a condition that is true at the start does not fire; it must become true
// x > 1 from the start until 1, false until 3, then true again
// expect n(0.5) = 0
// expect n(2) = 0
// expect n(3.5) = 1
model WhenNotAtStart
  Real x = abs(time - 2);
  Integer n(start = 0, fixed = true);
equation
  when x > 1 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 4));
end WhenNotAtStart;
