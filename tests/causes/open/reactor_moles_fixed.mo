// cause: inconsistent_start
// culprits: nA, nB, nTotal
// time: 0
// why: nTotal = nA + nB + nC is an equation; 1 + 2 + 0 is not 4, and all four values are fixed.
model ReactorMolesFixed "batch reactor A -> B -> C; the total was fixed as well as its parts"
  parameter Real k1 = 0.4, k2 = 0.1, V = 2;
  Real nA(start = 1, fixed = true), nB(start = 2, fixed = true), nC(start = 0, fixed = true);
  Real nTotal(start = 4, fixed = true);
  Real cA, cB, cC, r1, r2, xA, yieldB;
equation
  cA = nA/V;
  cB = nB/V;
  cC = nC/V;
  r1 = k1*cA;
  r2 = k2*cB;
  der(nA) = -r1*V;
  der(nB) = (r1 - r2)*V;
  der(nC) = r2*V;
  nTotal = nA + nB + nC;
  xA = cA/(cA + cB + cC);
  yieldB = nB/nTotal;
  annotation(experiment(StopTime = 10));
end ReactorMolesFixed;
