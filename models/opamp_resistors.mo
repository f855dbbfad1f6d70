// A capacitor, four resistors and an ideal operational amplifier.  How many start values are free
// depends on the resistances: one, or none where R2*R3 = R1*R4, as with -p R4=2.
// reference: v[1] = 2.718281828 at t = 1, tolerance 1e-5
// from: closed form
model OpampResistors "an op-amp circuit whose number of states depends on the resistances"
  parameter Real R1 = 1, R2 = 2, R3 = 1, R4 = 1, C = 1;
  parameter Real G[4] = {1/R1, 1/R2, 1/R3, 1/R4};
  Real v[4] "nodes", i "output of the amplifier";
initial equation
  v[1] = 1;
equation
  C*der(v[1]) + G[1]*(v[1] - v[2]) = 0;
  G[1]*(v[2] - v[1]) + G[2]*(v[2] - v[3]) = 0;
  G[2]*(v[3] - v[2]) + G[4]*(v[3] - v[4]) + i = 0;
  G[4]*(v[4] - v[3]) + G[3]*v[4] = 0;
  v[2] = v[4];
  annotation(experiment(StopTime = 2));
end OpampResistors;
