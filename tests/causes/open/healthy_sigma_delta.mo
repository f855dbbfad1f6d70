// cause: none
// expect: ones(2.0005) = 1315 +- 0; v(2.0005) = 0.3185306 +- 1e-8; y(2.0005) = 0.321561289 +- 1e-5
// why: two thousand clock ticks: v = v + u - q, q = sign of v; the recurrence in Python (v stays at least 1e-5 away from 0 at the ticks), the
//     filter by its exact solution between ticks.
model HealthySigmaDelta "one-bit converter with an RC filter"
  parameter Real u = 0.3141592653, tau = 0.05;
  discrete Real v(start = 0, fixed = true), q(start = -1, fixed = true);
  Integer ones(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  when sample(1e-3, 1e-3) then
    v = pre(v) + u - pre(q);
    q = if v >= 0 then 1 else -1;
    ones = pre(ones) + (if v >= 0 then 1 else 0);
  end when;
  tau*der(y) = q - y;
  annotation(experiment(StopTime = 2.0005));
end HealthySigmaDelta;
