// rule: a size may be another size of the same array, which its value gives
// expect s.x[3](1) = 0.2088332563883093
// expect d.x[2](1) = 2.718281828459045
block Linear
  parameter Real A[:, size(A, 1)] = [1, 0; 0, 1];
  Real x[size(A, 1)](each start = 1, each fixed = true);
equation
  der(x) = A*x;
end Linear;
model Top
  Linear s(A = [-1, 0, 0; 0, -2, 0; 1, 0, -3]);
  Linear d;
end Top;
