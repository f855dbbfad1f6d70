// rule: subscripts may be ranges, vectors and : for all
// expect a[2](1) = 5
// expect b[1](1) = 4
// expect b[3](1) = 6
// expect c[2](1) = 6
// expect d[2](1) = 3
// expect e[1,2](1) = 3
model ArraySlices
  Real A[2, 3] = {{1, 2, 3}, {4, 5, 6}}*time;
  Real a[2] = A[:, 2];
  Real b[3] = A[2, :];
  Real c[2] = A[2, 2:3];
  Real d[2] = A[1, {1, 3}];
  Real e[1, 2] = A[1:1, 2:3];
  annotation(experiment(StopTime = 1));
end ArraySlices;
