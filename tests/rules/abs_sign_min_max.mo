// rule: abs, sign, and min and max of two arguments
// expect a(0.5) = 0.5
// expect a(2) = 1
// expect s(0.5) = -1
// expect s(2) = 1
// expect lo(0.5) = 0.5
// expect lo(2) = 1
// expect hi(2) = 2
model AbsSignMinMax
  Real u = time - 1;
  Real a = abs(u);
  Real s = sign(u);
  Real lo = min(time, 1);
  Real hi = max(time, 1);
  annotation(experiment(StopTime = 2));
end AbsSignMinMax;
