// cause: none
// expect: p1(200) = 13262797.95 +- 100; q(200) = 1.305119178e-08 +- 1e-11
// why: two oil volumes joined by a laminar gap: p1 - p2 = 2e7 exp(-2 k E/V t), p1 + p2 = 2e7, q = k (p1 - p2).
model HealthyHydraulicUnits "pressures of 1e7 Pa beside flows of 1e-7 m3/s, SI units, no nominal"
  parameter Real E = 1.4e9, V = 1e-3, k = 2e-15;
  Real p1(start = 2e7, fixed = true), p2(start = 0, fixed = true), q, dp, V1, V2;
equation
  dp = p1 - p2;
  q = k*dp;
  V/E*der(p1) = -q;
  V/E*der(p2) = q;
  V1 = V*p1/E;
  V2 = V*p2/E;
  annotation(experiment(StopTime = 200));
end HealthyHydraulicUnits;
