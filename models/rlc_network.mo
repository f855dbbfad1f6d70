// A network given by its incidence matrix: row b has 1 at the node where branch b begins and -1 where
// it ends, the ground has no column.  Kirchhoff's laws are transpose(A)*i = 0 and v = A*e.  A
// source, two capacitors, two resistors, a coil and a current source, in this order.  Index 1.
// reference: e[3] = 0.5257916957 at t = 2, tolerance 1e-4
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model RlcNetwork "an RLC network from its incidence matrix"
  parameter Integer N = 3 "nodes", B = 7 "branches";
  parameter Real A[B, N] = [1, 0, 0; 0, 1, 0; 0, 0, 1; 1, -1, 0; 0, 0, 1; 0, 1, -1; 0, 0, -1];
  parameter Real C1 = 1, C2 = 0.5, R1 = 1, R2 = 2, L = 0.3;
  Real e[N] "voltages of the nodes", v[B] "of the branches", i[B] "currents";
initial equation
  v[2] = 0;
  v[3] = 0;
  i[6] = 0;
equation
  v = A*e;
  transpose(A)*i = zeros(N);
  v[1] = sin(2*time);
  C1*der(v[2]) = i[2];
  C2*der(v[3]) = i[3];
  v[4] = R1*i[4];
  v[5] = R2*i[5];
  L*der(i[6]) = v[6];
  i[7] = 0.2*cos(3*time);
  annotation(experiment(StopTime = 10));
end RlcNetwork;
