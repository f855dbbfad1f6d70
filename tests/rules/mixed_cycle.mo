// rule: relations that would change together without end are changed one after the other
// expect a(0.5) = 1
// expect b(0.5) = 1
// expect a(2) = -1
// expect product(2) = -1
model MixedCycle
  Real a, b;
  Real p;
  Real product = a*b;
equation
  a = if b > 0 then 1 - 2*p else 1;
  b = if a > 0 then 1 - 2*p else 1;
  p = if time < 1 then 0 else 1;
  annotation(experiment(StopTime = 2));
end MixedCycle;
