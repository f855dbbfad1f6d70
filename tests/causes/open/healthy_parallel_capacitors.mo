// cause: none
// expect: v1(0.01) = 0.6766764162 +- 1e-5
// why: a capacitor loop with equal fixed voltages: 5 exp(-t/(R (C1 + C2))).
model HealthyParallelCapacitors
  parameter Real C1 = 1e-6, C2 = 4e-6, R = 1000;
  Real v1(start = 5, fixed = true), v2(start = 5, fixed = true), va, i1, i2, iR;
equation
  v1 = va;
  v2 = va;
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  va = R*iR;
  i1 + i2 + iR = 0;
  annotation(experiment(StopTime = 0.01));
end HealthyParallelCapacitors;
