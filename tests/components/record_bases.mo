// rule: records with bases, sizes and short records
// expect y(0) = 21
// expect z(0) = 4
// expect q(0) = 8
record Base
  parameter Real a = 1;
  parameter Real b = 2*a;
end Base;
record Data
  extends Base(a = 5);
  parameter Integer n = 2;
  parameter Real v[n] = {1, 3};
end Data;
record Special = Data(a = 4);
model M
  parameter Data d = Data();
  parameter Data e = Special();
  Real y = d.a + d.b + sum(d.v) + d.n;
  Real z = e.a;
  Real q = e.b;
end M;
model Top
  extends M;
end Top;
