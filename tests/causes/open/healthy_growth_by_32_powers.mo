// cause: none
// expect: x(25) = 3.733241997e32 +- 1e29; y(25) = 75 +- 1e-4
// why: x = exp(3 t) grows by a factor of 4e32, but it is finite at all times: no pole. y' = x'/x.
model HealthyGrowthBy32Powers "chain letter without end"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), rate;
equation
  rate = 3*x;
  der(x) = rate;
  der(y) = rate/x;
  annotation(experiment(StopTime = 25));
end HealthyGrowthBy32Powers;
