// cause: inconsistent_start
// culprits: v1, v2
// time: 0
// why: a capacitor loop; both capacitors have the voltage of node a, 5 V and 0 V are fixed at the start.
model CapacitorsInParallel "the charge of one capacitor was to flow into the other"
  parameter Real C1 = 1e-6, C2 = 4.7e-6, R = 1000;
  Real v1(start = 5, fixed = true), v2(start = 0, fixed = true);
  Real va, i1, i2, iR, q;
equation
  v1 = va;
  v2 = va;
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  va = R*iR;
  i1 + i2 + iR = 0;
  q = C1*v1 + C2*v2;
  annotation(experiment(StopTime = 0.02));
end CapacitorsInParallel;
