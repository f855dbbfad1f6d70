// rule: zeros, ones, fill, identity, linspace, diagonal
// expect a(1) = 0
// expect b(1) = 6
// expect c[2](1) = 7
// expect D[2,2](1) = 1
// expect D[1,2](1) = 0
// expect e[2](1) = 0.25
// expect F[2,2](1) = 4
// expect F[2,1](1) = 0
model ArrayFill
  Real a = sum(zeros(3));
  Real b = sum(ones(2, 3));
  Real c[2] = fill(7*time, 2);
  Real D[3, 3] = identity(3);
  Real e[5] = linspace(0, time, 5);
  Real F[2, 2] = diagonal({3, 4*time});
  annotation(experiment(StopTime = 1));
end ArrayFill;
