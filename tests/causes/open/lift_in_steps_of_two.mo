// cause: event_iteration
// culprits: level, target
// time: 1 +- 1e-3
// why: each pass of the event iteration moves the level by two towards the target, which becomes 3 at t = 1: 0, 2, 4, 2, 4, ...
//     never settles. It was to move once per tick of a clock.
model LiftInStepsOfTwo "logic of a lift"
  Integer target, level(start = 0, fixed = true);
  Real height(start = 0, fixed = true);
equation
  target = if time >= 1 then 3 else 0;
  level = if pre(level) < target then pre(level) + 2 elseif pre(level) > target then pre(level) - 2 else pre(level);
  der(height) = level - height;
  annotation(experiment(StopTime = 4));
end LiftInStepsOfTwo;
