// cause: assertion
// culprits: h, overflow
// time: 4 +- 1e-2
// why: h = 0.25 t reaches the rim 1 at t = 4.
model TankOverflows
  parameter Real rim = 1;
  Real h(start = 0, fixed = true), q, V;
equation
  q = 0.25;
  der(h) = q;
  V = 2*h;
  assert(h <= rim, "overflow: the level is above the rim");
  annotation(experiment(StopTime = 6));
end TankOverflows;
