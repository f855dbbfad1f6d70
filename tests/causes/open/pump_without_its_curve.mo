// cause: structure
// culprits: q, dp, P, h
// why: four unknowns, three equations: the head of the pump as a function of its flow was forgotten.
model PumpWithoutItsCurve "pump fills a tower"
  parameter Real A = 4, k = 1e6;
  Real h(start = 1, fixed = true), q, dp(nominal = 1e5), P(nominal = 1e3);
equation
  A*der(h) = q;
  dp = 9810*h + k*q^2;
  P = dp*q/0.6;
  annotation(experiment(StopTime = 60));
end PumpWithoutItsCurve;
