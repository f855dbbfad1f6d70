// cause: redundant_equations | undetermined_variable
// culprits: i1, i2, i3, v1, v2, v3
// why: three ideal sources in a ring whose voltages add up to zero for all times: the third equation follows from the
//     others and the current around the ring is free.
model DeltaOfSources "three-phase delta of ideal sources with a resistive load at each node"
  constant Real pi = 3.141592653589793;
  parameter Real U = 325, f = 50, R = 10;
  Real v1, v2, v3, i1, i2, i3, iL1, iL2, iL3, E(start = 0, fixed = true), w;
equation
  w = 2*pi*f*time;
  v1 - v2 = U*sin(w);
  v2 - v3 = U*sin(w - 2*pi/3);
  v3 - v1 = -U*sin(w) - U*sin(w - 2*pi/3);
  iL1 = v1/R;
  iL2 = v2/R;
  iL3 = v3/R;
  i1 - i3 = iL1;
  i2 - i1 = iL2;
  i3 - i2 = iL3;
  der(E) = v1*iL1 + v2*iL2 + v3*iL3;
  annotation(experiment(StopTime = 0.04));
end DeltaOfSources;
