// cause: structure | redundant_equations
// culprits: i, v1, v2
// why: a cutset of current sources: i is given twice, and the voltage of the node between the sources is in no
//     equation that determines it.
model SeriesCurrentSources
  parameter Real I1 = 0.02, I2 = 0.02, R = 50, C = 1e-4;
  Real i, v1, v2, vR, vC(start = 0, fixed = true), vSum;
equation
  i = I1;
  i = I2;
  vR = R*i;
  C*der(vC) = i;
  v1 + v2 = vR + vC;
  vSum = v1 + v2;
  annotation(experiment(StopTime = 0.1));
end SeriesCurrentSources;
