// cause: none
// expect: n(1e-5) = 9.090909091e14 +- 2e10; light(1e-5) = 9.090909091e15 +- 2e11
// why: n' = -B n p with p = n: n = n0/(1 + B n0 t) = 1e16/11; each pair that is lost is a photon: light = n0 - n.
model HealthyCarriersRecombine "electrons and holes per cubic centimetre, microseconds"
  parameter Real B = 1e-10;
  Real n(start = 1e16, fixed = true), p, rate, light(start = 0, fixed = true);
equation
  p = n;
  rate = B*n*p;
  der(n) = -rate;
  der(light) = rate;
  annotation(experiment(StopTime = 1e-5));
end HealthyCarriersRecombine;
