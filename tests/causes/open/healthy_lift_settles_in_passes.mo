// cause: none
// expect: level(5) = 2 +- 0; height(5) = 2.548466944 +- 1e-5
// why: each pass of the event iteration moves the level by one towards the target, 7 passes at t = 1, 5 at t = 3: it settles.
//     The height follows as a lag: 7 (1 - exp(-2)) at t = 3, then towards 2.
model HealthyLiftSettlesInPasses "event iteration with several passes"
  Integer target, level(start = 0, fixed = true);
  Real height(start = 0, fixed = true);
equation
  target = if time < 1 then 0 elseif time < 3 then 7 else 2;
  level = if pre(level) < target then pre(level) + 1 elseif pre(level) > target then pre(level) - 1 else pre(level);
  der(height) = level - height;
  annotation(experiment(StopTime = 5));
end HealthyLiftSettlesInPasses;
