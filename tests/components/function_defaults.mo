// rule: default arguments that use others, records and arrays of unknown size
// expect a(0) = 6
// expect b(0) = 15
// expect c(0) = 12
// expect d(0) = 7
// expect e(0) = 10
// expect f(0) = 3
function f
  input Real x;
  input Real y = 2*x;
  input Real z = y - x;
  output Real r = x + y + z;
end f;
function total
  input Real v[:];
  input Real w[size(v, 1)] = ones(size(v, 1));
  output Real s = 0;
protected
  Integer n = size(v, 1);
algorithm
  for i in 1:n loop
    s := s + v[i]*w[i];
  end for;
end total;
record R
  Real a;
  Real b[2];
end R;
function mk
  input Real k = 1;
  output R r;
  output Real extra = 5;
algorithm
  r := R(a = k, b = {k, 2*k});
end mk;
function g
  input R r;
  output Real y = r.a + sum(r.b);
end g;
function mat
  input Real A[:, :];
  output Real y[size(A, 2), size(A, 1)];
algorithm
  y := transpose(A);
end mat;
model Top
  Real a = f(1) + f(x = 1, z = 0) - 1;
  Real b = f(2, 6, 7);
  Real c = total({1, 2, 3}) + total({1, 2}, w = {2, 2});
  R r;
  Real ex;
  Real d = g(r) - 1;
  Real e = r.b[2] + ex + 1;
  Real M[2, 3] = mat([1, 2; 3, 4; 5, 6]);
  Real f = M[1, 2];
equation
  (r, ex) = mk(2);
end Top;
