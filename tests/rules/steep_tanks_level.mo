// rule: a flow sign(d)*sqrt(abs(d)) between two tanks ends when they are level, where it has no derivative
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// expect h1(2) = 4/3 + (2/3)*0.25**2
// expect h1(6) = 4/3 +- 1e-6
// expect h2(6) = 4/3 +- 1e-6
// expect q(2) = 0.5*0.25
model SteepTanksLevel
  Real h1(start = 2, fixed = true), h2(start = 1, fixed = true), q;
equation
  q = 0.5*sign(h1 - h2)*sqrt(abs(h1 - h2));
  der(h1) = -q;
  2*der(h2) = q;
  annotation(experiment(StopTime = 6));
end SteepTanksLevel;
