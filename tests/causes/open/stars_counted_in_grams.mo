// cause: bad_scaling | domain_error
// culprits: M, L
// time: 0
// why: (M in grams)^10 with 2e33 overflows, though the ratio to the mass of the sun, 1, is what is meant.
model StarsCountedInGrams
  parameter Real Msun = 2e33;
  Real M(start = 2e33, fixed = true), L;
equation
  L = M^10/Msun^10;
  der(M) = -1e22*L;
  annotation(experiment(StopTime = 1e10));
end StarsCountedInGrams;
