// rule: each in nested arrays of components
// expect a.b[2].x(1) = 3
// expect a.b[1].x(0) = 4
model B
  parameter Real k = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = k;
end B;
model A
  B b[2](each k = 1, x(start = {4, 2}));
end A;
model Top
  A a;
end Top;
