// cause: contradiction | event_iteration
// culprits: limited, y
// time: 0.33983691 +- 1e-3
// why: the output that is limited is 1, which is not greater than 1, so it is not limited; then it is greater.
model LimiterByItsOutput "a limiter that tests the value behind itself"
  parameter Real top = 1;
  Real u, y, s(start = 0, fixed = true);
  Boolean limited;
equation
  u = 3*sin(time);
  limited = y > top;
  y = if limited then top else u;
  der(s) = y;
  annotation(experiment(StopTime = 2));
end LimiterByItsOutput;
