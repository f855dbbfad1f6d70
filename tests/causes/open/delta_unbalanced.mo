// cause: redundant_equations | no_solution
// culprits: v1, v2, v3, i1, i2, i3
// time: 0
// why: as a ring of ideal sources, but 12 + 12 - 20 = 4 is not zero: the equations depend on each other and
//     contradict each other.
model DeltaUnbalanced
  parameter Real R1 = 100, R2 = 47, R3 = 82, C = 1e-5;
  Real v1, v2, v3, i1, i2, i3, vc(start = 0, fixed = true), ic;
equation
  v1 - v2 = 12;
  v2 - v3 = 12;
  v3 - v1 = -20;
  i1 - i3 = v1/R1 + ic;
  i2 - i1 = v2/R2;
  i3 - i2 = v3/R3;
  ic = (v1 - vc)/10;
  C*der(vc) = ic;
  annotation(experiment(StopTime = 0.01));
end DeltaUnbalanced;
