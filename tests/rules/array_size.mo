// rule: size(A, i), size(A), ndims(A), scalar, vector, matrix
// expect a(1) = 2
// expect b(1) = 3
// expect c(1) = 2
// expect d(1) = 7
// expect e[2](1) = 6
// expect F[2,1](1) = 6
model ArraySize
  Real A[2, 3] = fill(time, 2, 3);
  Integer a = size(A, 1);
  Integer b = size(A)*{0, 1};
  Integer c = ndims(A);
  Real d = scalar({{7}});
  Real e[2] = vector({{5}, {6}});
  Real F[2, 1] = matrix({5, 6});
  annotation(experiment(StopTime = 1));
end ArraySize;
