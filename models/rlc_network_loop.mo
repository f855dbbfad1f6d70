// The same kind of network with a loop of a source and two capacitors: the rows of the incidence
// matrix that belong to them depend on one another, and the current of the source contains the
// derivative of its voltage.  Index 2.
// reference: i[1] = 0.6414516287 at t = 2, tolerance 1e-4
// from: closed form (tests/golden/reference_values.py)
model RlcNetworkLoop "an RLC network with a loop of capacitors and a source, index 2"
  parameter Integer N = 2 "nodes", B = 4 "branches";
  parameter Real A[B, N] = [1, 0; 1, -1; 0, 1; 0, 1] "source, capacitors, resistor";
  parameter Real C1 = 1, C2 = 0.5, R = 2;
  Real e[N] "voltages of the nodes", v[B] "of the branches", i[B] "currents";
initial equation
  v[3] = 0;
equation
  v = A*e;
  transpose(A)*i = zeros(N);
  v[1] = sin(2*time);
  C1*der(v[2]) = i[2];
  C2*der(v[3]) = i[3];
  v[4] = R*i[4];
  annotation(experiment(StopTime = 10));
end RlcNetworkLoop;
