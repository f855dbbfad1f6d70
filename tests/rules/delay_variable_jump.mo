// rule: a jump comes out of a delay of changing time when it is reached, also backwards
// expect y(0.5) = 0
// expect y(1) = 1
// expect y(1.4) = 1
// expect y(1.5) = 0
// expect z(1.99) = 0
// expect z(2.01) = 1
model DelayVariableJump
  Real u = if time < 0.4 then 0 else 1;
  Real y = delay(u, time^2/2, 5);
  Real w = if time < 1 then 0 else 1;
  Real z = delay(w, 0.5 + 0.25*time, 5);
  annotation(experiment(StopTime = 2.5));
end DelayVariableJump;
