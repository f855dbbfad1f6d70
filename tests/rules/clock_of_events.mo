// rule: an event clock ticks where its condition becomes true; a clock below it counts the ticks
// run solve
// expect n(0.9) = 0
// expect n(1.1) = 1
// expect n(3.1) = 3
// expect s(1.1) = sin(0.5)
// expect gap(3.1) = 1
// expect gap(1.1) = 0.25
// expect second(2.1) = 1
// expect second(3.1) = 3
model ClockOfEvents
  Real x(start = 0, fixed = true);
  Real s, gap;
  Integer n(start = 0), second;
equation
  der(x) = 0.5;
  when Clock(time >= 1 and time < 1.5 or
             time >= 2 and time < 2.5 or time >= 3, 0.25) then
    s = sample(sin(x));
    n = previous(n) + 1;
    gap = interval();
  end when;
  second = subSample(n, 2);
  annotation(experiment(StopTime = 3.5));
end ClockOfEvents;
