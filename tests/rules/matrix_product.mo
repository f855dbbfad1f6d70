// rule: * is the product of linear algebra
// expect dot(2) = 11
// expect v[2](2) = 11
// expect w[2](2) = 10
// expect C[1,2](2) = 10
// expect s[2](2) = 6
model MatrixProduct
  Real t2 = time;
  Real A[2, 2] = {{1, t2}, {3, 4}} "[1, 2; 3, 4] at the end";
  Real dot = {1, t2}*{3, 4};
  Real v[2] = A*{1, t2} "{5, 11}";
  Real w[2] = {1, t2}*A "{7, 10}";
  Real C[2, 2] = A*A "[7, 10; 15, 22]";
  Real s[2] = 3*{1, t2};
  annotation(experiment(StopTime = 2));
end MatrixProduct;
