// rule: delays in a row add up, also beside other delays of the same variable; the corner at the start passes through
// expect z(1) = 0
// expect z(1.5) = sin(0.6)
// expect n(1.5) = sin(0.6)
// expect n(2.2) = sin(2)
// expect d(2.2) = sin(3.4)
model DelayInARow
  Real x = sin(2*time), y, z, n, d;
equation
  y = delay(x, 0.7);
  z = delay(y, 0.5);
  n = delay(delay(delay(x, 0.3), 0.4), 0.5);
  d = delay(x, 0.5);
  annotation(experiment(StopTime = 2.5));
end DelayInARow;
