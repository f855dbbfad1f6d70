// cause: none
// expect: nA(10) = 0.0183156389 +- 1e-5; nTotal(10) = 3 +- 1e-5
// why: the total is fixed as well as its parts, and 1 + 2 + 0 is 3: one value more than needed, none in contradiction.
//     nA = exp(-0.4 t).
model HealthyMolesAgree "batch reactor A -> B -> C"
  parameter Real k1 = 0.4, k2 = 0.1;
  Real nA(start = 1, fixed = true), nB(start = 2, fixed = true), nC(start = 0, fixed = true);
  Real nTotal(start = 3, fixed = true), r1, r2;
equation
  r1 = k1*nA;
  r2 = k2*nB;
  der(nA) = -r1;
  der(nB) = r1 - r2;
  der(nC) = r2;
  nTotal = nA + nB + nC;
  annotation(experiment(StopTime = 10));
end HealthyMolesAgree;
