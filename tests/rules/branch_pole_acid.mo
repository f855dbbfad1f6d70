// rule: a step does not jump over a pole of the equations, also where another divisor has none in between
// A weak acid is titrated with a strong base; values of pH at the equivalence point and behind it solve the
// cubic equation for H in 40 digits.  At rtol 1e-8 the absolute tolerance of H alone, 1e-11 beside H = 1.9e-9, allows
// errors of 2e-3 in pH at t = 50: how far they stay below that depends on roundoff.
// run solve --rtol 1e-4
// run solve
// run solve --rtol 1e-8
// run solve --method bdf --rtol 1e-8
// run solve --method rodas
// run solve --method limex --rtol 1e-8
// expect pH(50) = 8.7219040315819 +- 1e-4
// expect pH(75) = 12.301030019802 +- 1e-5
// expect pH(100) = 12.522878752522 +- 1e-5
// expect no warning
model BranchPoleAcid
  parameter Real Kw = 1e-14, Ka = 1.8e-5, ca = 0.1, cb = 0.1, Va = 0.05, q = 0.001;
  Real V(start = 0, fixed = true), H(start = 1e-3), A, pH;
equation
  der(V) = q;
  A = ca*Va/(Va + V)*Ka/(Ka + H);
  H + cb*V/(Va + V) = Kw/H + A;
  pH = -log10(H);
  annotation(experiment(StopTime = 100));
end BranchPoleAcid;
