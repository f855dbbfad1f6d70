// cause: bounds
// culprits: i
// time: 0.04479399 +- 1e-3
// why: i = 12 (1 - exp(-40 t)) passes the declared maximum of 10 A at ln(6)/40.
model WindingCurrentAboveRating "stalled motor on 24 V"
  parameter Real L = 0.05, R = 2, V = 24;
  Real i(start = 0, fixed = true, min = -10, max = 10), torque;
equation
  L*der(i) = V - R*i;
  torque = 0.1*i;
  annotation(experiment(StopTime = 0.2));
end WindingCurrentAboveRating;
