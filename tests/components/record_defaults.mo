// rule: a default of a record that is computed from another member follows that member
// expect z(1) = 3
// expect s.R(0) = 8
// expect s.v[2](0) = 4
// expect w(0) = 20
record In
  parameter Integer n = 2;
  Real d = 0.1;
  Real R = d*n;
  Real v[n] = fill(d, n);
end In;
function f
  input In x;
  output Real y;
algorithm
  y := x.d + x.R;
end f;
model Top
  In s(d = 4);
  Real z = f(In(d = time));
  Real w = s.R + f(s);
end Top;
