// cause: event_accumulation | chattering
// culprits: x, v, u, F
// time: 6.3094011 +- 1e-2
// why: from x = 1 towards 0 with the acceleration 0.5, then slowed down by 1.5 to a third of the distance: each half
//     oscillation is shorter by sqrt(3), all of them take (8/3)/(1 - 1/sqrt(3)). At the limit, x = v = 0, both
//     relations are at their thresholds.
model RegulatorWithDryFriction "a rudder with a bang-bang drive and dry friction"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), u, F, used(start = 0, fixed = true);
equation
  u = if x > 0 then -1 else 1;
  F = if v > 0 then 0.5 else -0.5;
  der(x) = v;
  der(v) = u - F;
  der(used) = abs(v);
  annotation(experiment(StopTime = 9));
end RegulatorWithDryFriction;
