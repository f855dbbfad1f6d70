// cause: inconsistent_start
// culprits: H, pH
// time: 0
// why: one state, two conditions: H is fixed at 1e-4, which is pH 4, and an initial equation demands pH 7.
model NeutralButAcid "acid washed out of a basin"
  parameter Real k = 0.2;
  Real H(start = 1e-4, fixed = true, nominal = 1e-4), pH(start = 7);
initial equation
  pH = 7;
equation
  pH = -log10(H);
  der(H) = -k*(H - 1e-7);
  annotation(experiment(StopTime = 20));
end NeutralButAcid;
