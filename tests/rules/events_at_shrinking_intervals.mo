// rule: times of events that the model computes may accumulate, which is told
// expect warning 'events accumulate at t = 2: time >= next in line 9'
model EventsAtShrinkingIntervals
  Real x(start = 0, fixed = true);
  discrete Real next(start = 1, fixed = true), dt(start = 1, fixed = true);
equation
  der(x) = dt;
  // after 1, 1.5, 1.75, ... follows 2
  when time >= pre(next) then
    dt = 0.5*pre(dt);
    next = pre(next) + dt;
  end when;
  annotation(experiment(StopTime = 3));
end EventsAtShrinkingIntervals;
