// rule: from : to, from : step : to, downwards, of Reals, empty
// expect a[1](1) = 3
// expect a[3](1) = 1
// expect b[2](1) = 0.5
// expect c(1) = 0
// expect d[2](1) = 3
model Ranges
  Real a[3] = 3:-1:1;
  Real b[3] = 0:0.5:1;
  Real c = size(3:2, 1);
  Real d[3] = 1:2:6 "1, 3, 5";
  annotation(experiment(StopTime = 1));
end Ranges;
