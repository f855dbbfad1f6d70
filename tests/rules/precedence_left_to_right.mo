// rule: - and / group from the left; * and / have the same rank
// expect a(1) = -5
// expect b(1) = 4
// expect c(1) = 1
// expect d(1) = 14
model PrecedenceLeftToRight
  Real one = time;
  Real a = 2*one - 3 - 4;
  Real b = 6*one/3*2;
  Real c = 12*one/3/4;
  Real d = 2*one + 3*4;
  annotation(experiment(StopTime = 1));
end PrecedenceLeftToRight;
