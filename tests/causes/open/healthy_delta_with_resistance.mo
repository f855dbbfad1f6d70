// cause: none
// expect: ic(0.01) = 400 +- 0.1; E(0.01) = 4 +- 0.05
// why: the voltages of the ring add up to 1.2 V over 3 mohm, so the mean current of the ring is 400 A; E is its
//     integral.
model HealthyDeltaWithResistance "nearly a loop of sources"
  parameter Real r = 1e-3, R = 10;
  Real v1, v2, v3, i1, i2, i3, ic, E(start = 0, fixed = true), P;
equation
  v1 - v2 = 12 - r*i1;
  v2 - v3 = 12 - r*i2;
  v3 - v1 = -22.8 - r*i3;
  i1 - i3 = v1/R;
  i2 - i1 = v2/R;
  i3 - i2 = v3/R;
  ic = (i1 + i2 + i3)/3;
  P = (v1^2 + v2^2 + v3^2)/R;
  der(E) = ic;
  annotation(experiment(StopTime = 0.01));
end HealthyDeltaWithResistance;
