// rule: factors of a product of unknowns that is equal to something known are divisors of it: no step passes over the
// pole between the branches, and small factors are known relative to their own size
// A strong acid is titrated with a strong base until the pump stops at pH 9.  With d = 0.05 - na the charge balance is
// h - 1e-14/h = d, so that h = (d + sqrt(d^2 + 4e-14))/2; na stops at 0.05 + 1e-5 - 1e-9.
// run solve --rtol 1e-4
// run solve
// run solve --rtol 1e-8
// run solve --method bdf --rtol 1e-8
// run solve --method radau --rtol 1e-4
// run solve --method rodas
// run solve --method limex --rtol 1e-8
// expect h(2) = 0.010000000001 +- 1e-6
// expect pH(2.49) = -log10(1e-4 + sqrt(1e-8 + 1e-14))
// expect pH(2.5) = 7 +- 1e-3
// expect na(3) = 0.050009999 +- 1e-8
// expect pH(3) = 9 +- 1e-3
// expect full(2.5) = false
// expect full(2.51) = true
// expect no warning
model BranchProduct
  Real na(start = 0, fixed = true), h(start = 0.05, min = 0), oh(min = 0), pH;
  Boolean full(start = false, fixed = true);
equation
  der(na) = if full then 0 else 0.02;
  h*oh = 1e-14;
  h + na = oh + 0.05;
  pH = -log10(h);
  when pH > 9 then
    full = true;
  end when;
  annotation(experiment(StopTime = 4));
end BranchProduct;
