// cause: none
// expect: y(2) = 1.5 +- 1e-5; s(2) = 1.75 +- 1e-5
// why: both branches give y = 1 at t = 1, and y = (t + 1)/2 > 1 after it.
model HealthyGainSchedule "a gain that depends on the result, continuous where it changes"
  Real y, u, s(start = 0, fixed = true);
equation
  u = time;
  y = if y > 1 then 0.5*u + 0.5 else u;
  der(s) = y;
  annotation(experiment(StopTime = 2));
end HealthyGainSchedule;
