// rule: a type redeclared as an array
// expect y[2](0) = 4
// expect u(0) = 2
model Base
  replaceable type T = Real;
  T y;
end Base;
model Sg
  replaceable connector C = input Real;
end Sg;
model B2
  extends Base(redeclare type T = Real[2](each min = 0));
equation
  y = {3, 4};
end B2;
model Top
  extends B2;
  Real u = size(y, 1);
end Top;
