// rule: cat(k, ...) joins along dimension k
// expect a[3](1) = 3
// expect B[1,3](1) = 5
// expect C[3,2](1) = 8
model ArrayCat
  Real a[3] = cat(1, {1*time}, {2, 3});
  Real A[2, 2] = {{1, 2}, {3, 4}};
  Real B[2, 3] = cat(2, A, {{5}, {6}});
  Real C[3, 2] = cat(1, A, {{7, 8}});
  annotation(experiment(StopTime = 1));
end ArrayCat;
