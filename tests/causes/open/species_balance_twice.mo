// cause: redundant_equations | undetermined_variable
// culprits: A, B, r
// why: the balance of B stands there twice and that of A not at all; by incidence A could be found from r and r from
//     the second balance, but both balances say the same.
model SpeciesBalanceTwice
  parameter Real k = 0.5, k2 = 0.1, E = 10;
  Real A(start = 1, fixed = true), B(start = 0, fixed = true), C(start = 0, fixed = true), r, r2, T, f;
equation
  T = 300;
  f = exp(-E/T);
  r = k*f*A;
  r2 = k2*B;
  der(B) = r - r2;
  der(B) + r2 = r;
  der(C) = r2;
  annotation(experiment(StopTime = 10));
end SpeciesBalanceTwice;
