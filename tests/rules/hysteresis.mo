// rule: memory through pre(): on below 1, off above 2, unchanged between
// x rises to 2 (t = 2), falls to 1 (t = 3), rises again
// expect x(1) = 1
// expect on(2-) = true
// expect on(2+) = false
// expect x(2.5) = 1.5
// expect on(3+) = true
// expect x(3.5) = 1.5
model Hysteresis
  Real x(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(x) = if on then 1 else -1;
  on = x < 1 or pre(on) and x < 2;
  annotation(experiment(StopTime = 3.8));
end Hysteresis;
