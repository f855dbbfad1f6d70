// cause: none
// expect: z(1) = 12.57275385 +- 1e-4
// why: z^3 + z = 1000 (1 + t) has one real root; no start value is given.
model HealthyGuessFarAway
  Real z, p, w(start = 0, fixed = true);
equation
  p = 1000*(1 + time);
  z^3 + z = p;
  der(w) = 1/(1 + z^2);
  annotation(experiment(StopTime = 1));
end HealthyGuessFarAway;
