// cause: none
// expect: h(2) = 0.36787944 +- 1e-4
// why: gauge pressures on an atmosphere of 101325 Pa have ten digits left: h = exp(-t/2).
model HealthyGaugePressure "a tank that drains, with absolute pressures"
  parameter Real pRef = 101325, rhoG = 5, k = 0.1;
  Real h(start = 1, fixed = true), p, dp, q;
equation
  dp = rhoG*h;
  p = pRef + dp;
  q = k*(p - pRef);
  der(h) = -q;
  annotation(experiment(StopTime = 2));
end HealthyGaugePressure;
