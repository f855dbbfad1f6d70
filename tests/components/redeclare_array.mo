// rule: a redeclared component keeps its size, arrays in modifiers are spread
// expect y(0) = 5
// expect d.r[2].v(0) = 3
partial model I
  Real v;
end I;
model X1
  extends I;
  parameter Real k = 1;
equation
  v = k;
end X1;
model X2
  extends I;
  parameter Real g = 2;
equation
  v = g;
end X2;
model D
  replaceable X1 r[2] constrainedby I;
  Real y = sum(r.v);
end D;
model Top
  D d(redeclare X2 r(g = {2, 3}));
  Real y = d.y;
end Top;
