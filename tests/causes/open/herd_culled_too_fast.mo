// cause: domain_error
// culprits: n
// time: 4.8108 +- 1e-2
// why: der(n) = 0.1 n^0.75 - 1 from n = 4 falls below zero after about four and a half years, and the power of a negative number is none.
model HerdCulledTooFast
  Real n(start = 4, fixed = true), births;
equation
  births = 0.1*n^0.75;
  der(n) = births - 1;
  annotation(experiment(StopTime = 10));
end HerdCulledTooFast;
