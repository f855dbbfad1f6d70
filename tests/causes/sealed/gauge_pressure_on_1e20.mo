// cause: bad_scaling
// or: h(2) = 0.36787944 +- 1e-4
// culprits: p, dp, q, pRef
// why: numbers near 1e20 are 16384 apart, so that p - pRef is 0 where it should be dp = 5 h: the flow is lost.
//     Without rounding h = exp(-t/2).
model GaugePressureOn1e20 "pressures in a unit in which the atmosphere is 1e20"
  parameter Real pRef = 1e20, rhoG = 5, k = 0.1;
  Real h(start = 1, fixed = true), p, dp, q;
equation
  dp = rhoG*h;
  p = pRef + dp;
  q = k*(p - pRef);
  der(h) = -q;
  annotation(experiment(StopTime = 2));
end GaugePressureOn1e20;
