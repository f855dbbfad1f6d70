// cause: none
// expect: vm(2) = 0.2273243567 +- 1e-5
// why: between two capacitors the node has no path for direct current, but the capacitors hold its voltage: vm = vs
//     C1/(C1 + C2) with both empty at the start, vs = sin(t).
model HealthyCapacitiveDivider
  parameter Real C1 = 1e-9, C2 = 3e-9;
  Real vs, vm, v1, v2(start = 0, fixed = true), i1, i2;
equation
  vs = sin(time);
  v1 = vs - vm;
  v2 = vm;
  i1 = C1*der(v1);
  i2 = C2*der(v2);
  i1 = i2;
  annotation(experiment(StopTime = 2));
end HealthyCapacitiveDivider;
