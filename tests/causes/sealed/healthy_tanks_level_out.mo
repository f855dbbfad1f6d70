// cause: none
// expect: h1(4) = 1.5 +- 1e-5; h2(4) = 1.5 +- 1e-5; h1(1) = 1.625 +- 1e-5
// why: with the flow sqrt(d)/2 the difference is d = (1 - t/2)^2, and zero from t = 2 on; the root is smoothed at
//     1e-6, where the rate becomes 1000.
model HealthyTanksLevelOut "turbulent flow between two tanks until they are level"
  Real h1(start = 2, fixed = true), h2(start = 1, fixed = true), d, q;
equation
  d = h1 - h2;
  q = 0.5*d/(d^2 + 1e-12)^0.25;
  der(h1) = -q;
  der(h2) = q;
  annotation(experiment(StopTime = 4));
end HealthyTanksLevelOut;
