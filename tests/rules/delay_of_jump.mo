// rule: a jump comes out of delay() after the delay, as a jump
// expect y(0.7) = 0
// expect y(0.8-) = 0
// expect y(0.8+) = 1
// expect y(0.9) = 1
model DelayOfJump
  Real u = if time < 0.3 then 0 else 1;
  Real y = delay(u, 0.5);
  annotation(experiment(StopTime = 1));
end DelayOfJump;
