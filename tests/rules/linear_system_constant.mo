// rule: linear equations with constant numbers are solved before the run
// expect x[1](0) = 1
// expect x[8](0) = 8
model LinearSystemConstant
  parameter Real A[8, 8] = {{if i == j then 4 else 1/(i + j) for j in 1:8} for i in 1:8};
  Real x[8];
equation
  x = Modelica.Math.Matrices.LAPACK.dgesv_vec(A, A*{1, 2, 3, 4, 5, 6, 7, 8});
end LinearSystemConstant;
