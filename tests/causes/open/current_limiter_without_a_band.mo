// cause: chattering
// culprits: i, on
// time: 0.00101366 +- 1e-5
// why: the transistor is on below 2 A and off above: i = 6 (1 - exp(-400 t)) reaches 2 A, where both states drive it back.
model CurrentLimiterWithoutABand "chopper for a solenoid, comparator without hysteresis"
  parameter Real V = 24, R = 4, L = 0.01, limit = 2;
  Real i(start = 0, fixed = true), u, F;
  Boolean on;
equation
  on = i < limit;
  u = if on then V else 0;
  L*der(i) = u - R*i;
  F = 3*i^2;
  annotation(experiment(StopTime = 0.01));
end CurrentLimiterWithoutABand;
