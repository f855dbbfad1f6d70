// cause: assertion
// culprits: p, cavitation
// time: 2.0912754 +- 5e-2
// why: p = 80000 + 90000 sin(2 t) falls below the vapour pressure of 2340 Pa at 2.0913, which the assertion forbids.
model SuctionPressureCavitates "piston pump, pressure at its inlet"
  parameter Real pv = 2340;
  Real p(nominal = 1e5), x(start = 0, fixed = true);
equation
  p = 80000 + 90000*sin(2*time);
  der(x) = p/1e5 - x;
  assert(p > pv, "cavitation at the inlet of the pump");
  annotation(experiment(StopTime = 5));
end SuctionPressureCavitates;
