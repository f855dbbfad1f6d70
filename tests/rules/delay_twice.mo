// rule: delays of delays add up, and a loop with a delay repeats a jump for ever
// expect y(2) = 1.2**2
// expect u(0.05) = 0
// expect u(0.5) = 1
// expect u(1.05) = 0
// expect u(1.5) = 0.5
// expect u(2.5) = 0.25
model DelayTwice
  Real x = time^2;
  Real y = delay(delay(x, 0.5), 0.3);
  Real u = 0.5*delay(u, 1) + (if time > 0.1 and time < 1 then 1 else 0);
  annotation(experiment(StopTime = 3));
end DelayTwice;
