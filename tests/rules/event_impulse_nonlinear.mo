// rule: an impulse at an event conserves the charge of capacitors that are not linear
// Two capacitors with the charge v + v^3 are connected at t = 0.5: q1 + q2 = 2 + 8 = 10 before, so that v + v^3 = 5 behind.
// expect v1(0.4) = 2
// expect v2(0.4) = 0
// expect v1(1) = 1.5159802 +- 1e-5
// expect v2(1) = 1.5159802 +- 1e-5
model EventImpulseNonlinear
  Real v1(start = 2, fixed = true), v2(start = 0, fixed = true), q1, q2, i;
  Boolean closed = time > 0.5;
equation
  q1 = v1 + v1^3;
  q2 = v2 + v2^3;
  der(q1) = -i;
  der(q2) = i;
  0 = if closed then v1 - v2 else i;
  annotation(experiment(StopTime = 1));
end EventImpulseNonlinear;
