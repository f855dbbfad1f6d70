// rule: a tick of an event clock may end the condition of the clock
// expect h(0.9) = 0
// expect h(1.5) = 1 +- 1e-6
// expect h(2.9) = 2 +- 1e-6
// expect w(2.9) = 1 +- 1e-6
// expect n(2.9) = 2
model ClockResetsItself
  Real u = time;
  Real d = u - h, a;
  Boolean less = 1 < a;
  Clock c = Clock(less);
  Real v = sample(u, c), w = sample(d, c);
  Real h = hold(v);
  Integer k(start = 0) = previous(k) + (if v > 0 then 1 else 0);
  Integer n = hold(k);
equation
  a + a^3 = d + d^3;
  annotation(experiment(StopTime = 2.95));
end ClockResetsItself;
