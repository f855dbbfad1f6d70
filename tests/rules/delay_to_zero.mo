// rule: a delay time may fall to zero
// expect y(0.5) = sin(0)
// expect y(0.8) = sin(0.6)
// expect y(2) = sin(2)
model DelayToZero
  Real x;
  Real y = delay(x, max(0, 1 - time), 1);
  Real z = delay(x, 0);
equation
  x = sin(time);
  annotation(experiment(StopTime = 2));
end DelayToZero;
