// rule: + - of equal sizes, scalar times array, array by scalar, sign of an array
// expect y[2](1) = 3
// expect z[1](1) = -0.5
model ArrayArithmetic
  Real x[2] = {1, 4*time};
  Real y[2] = x + {1, 1} - {2, 2};
  Real z[2] = -x/2;
  annotation(experiment(StopTime = 1));
end ArrayArithmetic;
