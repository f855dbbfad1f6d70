// rule: A^n of a square matrix is repeated multiplication
// expect B[1,2](1) = 3
// expect B[2,2](1) = 1
// expect E[1,1](1) = 1
model MatrixPower
  Real A[2, 2] = [1, time; 0, 1];
  Real B[2, 2] = A^3;
  Real E[2, 2] = A^0;
  annotation(experiment(StopTime = 1));
end MatrixPower;
