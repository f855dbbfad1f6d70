// rule: clocked equations hold at the ticks of their clock, and clocks of operators follow from it
// run solve
// expect u(1.1) = 1
// expect u(0.6) = 0.5
// expect n(1.1) = 3
// expect y(1.1) = 1.25
// expect slow(0.9) = 0
// expect slow(1.1) = 1
// expect fast(0.6) = 0.5
// expect count(0.65) = 7
// expect late(0.2) = 7
// expect late(0.3) = 0
// expect late(0.8) = 0.5
// expect z(1.1) = 1.25
// expect h(1.1) = 0.5
// expect begins(0.1) = 1
// expect begins(0.6) = 0
model ClockRates
  Real x(start = 0, fixed = true) "rises with slope 1";
  Real u "sampled every half second: 0, 0.5, 1";
  Real y(start = 0) "0, 0.5, 1.25";
  Integer n(start = 0);
  Real slow "every second tick";
  Real fast "five times as many ticks";
  Integer count(start = 0);
  Real w;
  Real late(start = 7) "a quarter of a second later";
  Real z "held";
  Real h;
  Boolean begins;
equation
  der(x) = 1;
  u = sample(x, Clock(1, 2));
  y = 0.5*previous(y) + u;
  n = previous(n) + (if previous(y) > 100 then 2 else 1);
  slow = subSample(u, 2);
  fast = superSample(u, 5);
  count = previous(count) + (if fast >= 0 then 1 else 2);
  w = u;
  late = shiftSample(w, 1, 2);
  z = hold(y);
  h = interval(u);
  begins = firstTick(u);
  annotation(experiment(StopTime = 1.2));
end ClockRates;
