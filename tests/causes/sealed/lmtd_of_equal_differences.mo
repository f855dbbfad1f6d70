// cause: domain_error
// culprits: lmtd, dT1, dT2, Q
// time: 0
// why: both ends of the exchanger have the same difference of temperatures, 60, at the start and by symmetry ever
//     after: the logarithmic mean is 0/0.
model LmtdOfEqualDifferences "counterflow exchanger with equal streams"
  parameter Real mc = 2, C = 30, kA = 3, ThIn = 90, TcIn = 10;
  Real Th(start = 70, fixed = true), Tc(start = 30, fixed = true), dT1, dT2, lmtd, Q;
equation
  dT1 = ThIn - Tc;
  dT2 = Th - TcIn;
  lmtd = (dT1 - dT2)/log(dT1/dT2);
  Q = kA*lmtd;
  C*der(Th) = mc*(ThIn - Th) - Q;
  C*der(Tc) = mc*(TcIn - Tc) + Q;
  annotation(experiment(StopTime = 60));
end LmtdOfEqualDifferences;
