// cause: none
// expect: x(3) = -0.1666666667 +- 1e-5
// why: x' = -x(t - 1), x = 1 before: step by step 1 - t + (t - 1)^2/2 - (t - 2)^3/6 on [2, 3], -1/6 at its end.
model HealthyLateReaction "proportional control through a dead time"
  Real x(start = 1, fixed = true), u;
equation
  u = -delay(x, 1);
  der(x) = u;
  annotation(experiment(StopTime = 3));
end HealthyLateReaction;
