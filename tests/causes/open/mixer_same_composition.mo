// cause: redundant_equations | undetermined_variable
// culprits: F2, F3
// why: both feeds have the mass fraction 0.5, so the component balance is half the total balance: F2 and F3 stay
//     free.
model MixerSameComposition
  parameter Real w1 = 0.5, w2 = 0.5, w3 = 0.5, rho = 1000;
  Real F1, F2(start = 5), F3(start = 15), M(start = 100, fixed = true), V;
equation
  F1 = 10;
  F1 + F2 = F3;
  w1*F1 + w2*F2 = w3*F3;
  der(M) = F3 - 12;
  V = M/rho;
  annotation(experiment(StopTime = 20));
end MixerSameComposition;
