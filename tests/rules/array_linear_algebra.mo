// rule: transpose, cross, skew, outerProduct, symmetric (the upper triangle decides)
// expect T[1,2](1) = 3
// expect c[3](1) = 1
// expect k[1](1) = -2
// expect O[2,1](1) = 6
// expect S[2,1](1) = 2
model ArrayLinearAlgebra
  Real A[2, 2] = [1, 2*time; 3, 4];
  Real T[2, 2] = transpose(A);
  Real c[3] = cross({1, 0, 0}, {0, time, 0});
  Real k[3] = skew({0, 0, 1})*{0, 2*time, 0} "cross({0, 0, 1}, {0, 2, 0})";
  Real O[2, 2] = outerProduct({1, 2}, {3*time, 4});
  Real S[2, 2] = symmetric(A);
  annotation(experiment(StopTime = 1));
end ArrayLinearAlgebra;
