// cause: none
// expect: level(8) = 0.9996645374 +- 1e-5
// why: level = 1 - exp(-t) stays 3e-4 below its maximum 1, which is also asserted.
model HealthyBrimNotReached
  Real level(start = 0, fixed = true, min = 0, max = 1), q;
equation
  q = 1 - level;
  der(level) = q;
  assert(level < 1, "the tank is full to the brim");
  annotation(experiment(StopTime = 8));
end HealthyBrimNotReached;
