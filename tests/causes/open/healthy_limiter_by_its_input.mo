// cause: none
// expect: s(3) = 2.77504207 +- 1e-4
// why: the limiter of limiter_by_its_output that tests its input: the integral of min(3 sin t, 1) from 0 to 3 is
//     3 (1 - cos a) + (pi - 2 a) + 3 (cos(pi - a) - cos 3) with a = asin(1/3).
model HealthyLimiterByItsInput "a limiter that tests the value before itself"
  Real u, y, s(start = 0, fixed = true);
  Boolean limited;
equation
  u = 3*sin(time);
  limited = u > 1;
  y = if limited then 1 else u;
  der(s) = y;
  annotation(experiment(StopTime = 3));
end HealthyLimiterByItsInput;
