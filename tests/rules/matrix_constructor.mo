// rule: [a, b; c, d] joins scalars, vectors (as columns) and matrices
// expect A[2,1](1) = 3
// expect B[2,2](1) = 4
// expect B[1,2](1) = 3
// expect C[3,1](1) = 5
// expect r(1) = 2
model MatrixConstructor
  Real A[2, 2] = [1, 2; 3*time, 4];
  Real v[2] = {1, 2}, w[2] = {3, 4};
  Real B[2, 2] = [v, w];
  Real C[3, 2] = [A; 5, 6];
  Real r = ndims([1, 2, 3]);
  annotation(experiment(StopTime = 1));
end MatrixConstructor;
