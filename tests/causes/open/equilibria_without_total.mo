// cause: redundant_equations | undetermined_variable
// culprits: a, b, c
// why: K3 = K1*K2, so the third equilibrium follows from the first two, and the amounts are known only up to a
//     factor: the total was forgotten.
model EquilibriaWithoutTotal "A = B, B = C and A = C in equilibrium"
  parameter Real K1 = 2, K2 = 3, K3 = 6, k = 0.1;
  Real a(start = 1), b(start = 2), c(start = 6), p(start = 0, fixed = true), rate;
equation
  b = K1*a;
  c = K2*b;
  c = K3*a;
  rate = k*c;
  der(p) = rate;
  annotation(experiment(StopTime = 10));
end EquilibriaWithoutTotal;
