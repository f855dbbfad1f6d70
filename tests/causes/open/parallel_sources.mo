// cause: structure | redundant_equations
// culprits: vA, i1, i2
// why: a loop of two ideal voltage sources: vA is determined twice (and with 12 and 12.5 V in contradiction), while
//     one equation is left for i1 and i2.
model ParallelSources "battery and alternator joined directly"
  parameter Real U1 = 12, U2 = 12.5, R = 0.5, C = 0.1;
  Real vA, vG, i1, i2, iR, vC(start = 0, fixed = true), iC;
equation
  vG = 0;
  vA - vG = U1;
  vA - vG = U2;
  iR = (vA - vG)/R;
  iC = (vA - vC)/0.1;
  C*der(vC) = iC;
  i1 + i2 = iR + iC;
  annotation(experiment(StopTime = 1));
end ParallelSources;
