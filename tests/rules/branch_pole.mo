// rule: a step does not jump over a pole of the equations to another branch
// A strong acid is titrated with a strong base.  The charge balance is a quadratic equation for H with a
// positive and a negative root, between which it has a pole; at the equivalence point H falls from 1e-3 to
// 1e-11 within a step.  With d the surplus of base, H = 2*Kw/(d + sqrt(d^2 + 4*Kw)).
// run solve --rtol 1e-4
// run solve
// run solve --rtol 1e-8
// run solve --method bdf --rtol 1e-8
// run solve --method rodas
// run solve --method limex --rtol 1e-4
// expect pH(25) = 1.4771212547157537
// expect pH(50) = 7
// expect pH(75) = 12.301029995674838
// expect pH(100) = 12.522878745284245
// expect no warning
model BranchPole
  parameter Real Kw = 1e-14, ca = 0.1, cb = 0.1, Va = 0.05, q = 0.001;
  Real V(start = 0, fixed = true), H(start = 0.1), pH;
equation
  der(V) = q;
  H - Kw/H + (cb*V - ca*Va)/(Va + V) = 0;
  pH = -log10(H);
  annotation(experiment(StopTime = 100));
end BranchPole;
