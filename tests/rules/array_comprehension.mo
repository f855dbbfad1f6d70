// rule: {e for i in r}; with several iterators the first is the innermost
// B = {{i + 10 j for i in 1:2} for j in 1:3}
// expect a[3](1) = 9
// expect B[3,2](1) = 32
// expect b(1) = 3
// expect c[2](1) = 5
model ArrayComprehension
  Real a[3] = {i^2*time for i in 1:3};
  Real B[3, 2] = {i + 10*j for i in 1:2, j in 1:3};
  Real b = size(B, 1);
  Real c[2] = {k for k in {3, 5}};
  annotation(experiment(StopTime = 1));
end ArrayComprehension;
