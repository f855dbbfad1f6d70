// rule: an impulse at an event conserves what flows also where the factors of derivatives change on the way
// Charges v + v^3 as in event_impulse_nonlinear.mo, and exp(v) - 1 with v' as derivative: v + v^3 = 5, 2 (exp(w) - 1) = e - 1.
// expect v1(0.4) = 2
// expect v1(1) = 1.5159802 +- 1e-6
// expect v2(1) = 1.5159802 +- 1e-6
// expect w1(1) = log((1 + exp(1))/2) +- 1e-6
// expect w2(1) = log((1 + exp(1))/2) +- 1e-6
model EventImpulseFactors
  Real v1(start = 2, fixed = true), v2(start = 0, fixed = true), i;
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), j;
equation
  (1 + 3*v1^2)*der(v1) = -i;
  (1 + 3*v2^2)*der(v2) = i;
  0 = if time > 0.5 then v1 - v2 else i;
  exp(w1)*der(w1) = -j;
  exp(w2)*der(w2) = j;
  0 = if time > 0.5 then w1 - w2 else j;
  annotation(experiment(StopTime = 1));
end EventImpulseFactors;
