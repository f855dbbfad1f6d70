// cause: none
// expect: T(1e10) = 3.020433525 +- 1e-4
// why: radiation into empty space, T^-3 = 300^-3 + 3 k t: the first degree takes seconds, the last one decades.
model HealthyShieldCoolsForCenturies "thin shield far from every star"
  parameter Real C = 4.5e4, A = 1.2, eps = 0.8, sigma = 5.670374419e-8;
  Real T(start = 300, fixed = true), P;
equation
  P = eps*sigma*A*T^4;
  C*der(T) = -P;
  annotation(experiment(StopTime = 1e10));
end HealthyShieldCoolsForCenturies;
