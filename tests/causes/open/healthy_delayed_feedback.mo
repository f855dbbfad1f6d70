// cause: none
// expect: x(2) = -0.5 +- 1e-5
// why: x' = -x(t - 1), x = 1 before: 1 - t until 1, then 1 - t + (t - 1)^2/2.
model HealthyDelayedFeedback
  Real x(start = 1, fixed = true), xd;
equation
  xd = delay(x, 1);
  der(x) = -xd;
  annotation(experiment(StopTime = 2));
end HealthyDelayedFeedback;
