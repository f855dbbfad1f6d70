// cause: none
// expect: x(2.5) = -0.3958333333 +- 1e-5
// why: der(x) = -x(t - 1) with x = 1 before: by the method of steps a polynomial in each interval.
model HealthyDelayedTap
  Real x(start = 1, fixed = true), old;
equation
  old = if time < 1 then 1 else delay(x, 1);
  der(x) = -old;
  annotation(experiment(StopTime = 2.5));
end HealthyDelayedTap;
