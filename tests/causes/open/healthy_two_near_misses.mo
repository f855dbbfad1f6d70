// cause: none
// run: --rtol 1e-4
// expect: a(3) = 2 +- 1e-2; b(3) = -1 +- 1e-2
// why: a = sqrt((t - 1)^2 + 1e-8) and b = -sqrt((t - 2)^2 + 1e-7): each comes near to the other root, and none meets it.
model HealthyTwoNearMisses "two mechanisms that pass close to a singular position"
  Real a(start = 1), b(start = -2), s(start = 0, fixed = true);
equation
  a^2 = (time - 1)^2 + 1e-8;
  b^2 = (time - 2)^2 + 1e-7;
  der(s) = a + b;
  annotation(experiment(StopTime = 3));
end HealthyTwoNearMisses;
