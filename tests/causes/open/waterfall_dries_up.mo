// cause: domain_error
// culprits: q, level
// time: 1.5 +- 1e-3
// why: the level 3 - 2 t is negative behind 1.5, and so is what the square root is taken of.
model WaterfallDriesUp
  Real level, q, pool(start = 0, fixed = true);
equation
  level = 3 - 2*time;
  q = 4*sqrt(level);
  der(pool) = q - 0.2*pool;
  annotation(experiment(StopTime = 4));
end WaterfallDriesUp;
