// rule: members of a record that a function returns are not its arguments of the same name
// expect i.v.x(0) = 6
// expect i.v.y(2) = 6
// expect x(0) = 10
// expect i.p(0) = 6
// expect i.n(0) = 2
record R
  Real x;
  Real y[2];
end R;
function f
  input Real x;
  input Real y[:];
  output R r;
algorithm
  r := R(x = 2*x, y = {y[1], 1 - sum(y)});
end f;
record S
  Real x;
  Real y;
end S;
function g
  input Real x;
  input Real y;
  output S r;
algorithm
  r := S(x = 2*x, y = 3*y);
end g;
model Inner
  parameter Real q = 3;
  final parameter R r = f(x = q, y = {0.25});
  Real p = r.x;
  Integer n = size(r.y, 1);
  S v = g(x = q, y = time);
end Inner;
model Top
  Inner i;
  Real x = g(x = 5, y = 5).x;
end Top;
