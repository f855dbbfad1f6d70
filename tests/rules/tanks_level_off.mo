// rule: two tanks reach the same level at t = 1 and stay there, although nothing determines the flow's slope
// expect h1(0.5) = 0.625
// expect q(0.5) = 0.5
// expect h1(3) = 0.5
// expect q(3) = 0 +- 1e-3
model TanksLevelOff
  Real h1(start = 1, fixed = true), h2(start = 0, fixed = true), q(start = 1);
equation
  q*abs(q) = h1 - h2;
  der(h1) = -q;
  der(h2) = q;
  annotation(experiment(StopTime = 3));
end TanksLevelOff;
