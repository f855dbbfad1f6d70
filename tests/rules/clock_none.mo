// rule: noClock(u) is the value of the last tick of u, that of this instant included; sample(hold(u)) is the left limit
// run solve
// expect now(0) = 1
// expect now(0.3) = 1
// expect now(0.5) = 3
// expect before(0) = 0
// expect before(0.5) = 2
// expect late(0.05) = 0
// expect late(0.15) = 1
// expect late(0.35) = 2
model ClockNone
  Clock fast = Clock(1, 5), slow = subSample(fast, 2), other = shiftSample(Clock(1, 5), 1, 2);
  Real count(start = 0), now(start = 0), before(start = 0), late(start = 0);
equation
  when fast then
    count = previous(count) + 1;
  end when;
  when slow then
    now = noClock(count);
    before = sample(hold(count));
  end when;
  when other then
    late = noClock(count);
  end when;
  annotation(experiment(StopTime = 0.9));
end ClockNone;
