// rule: subscripts of a constant of a package may vary; [a] is a if that has three dimensions
// expect x(0) = 6
// expect y(0) = 4
// expect x(1) = 8
package P
  constant Real t[2, 2, 2] = [{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}];
end P;
model Part
  input Integer k;
  parameter Integer i = 2;
  Real x = P.t[i, k, 2];
end Part;
model Top
  Part p(k = if time < 0.5 then 1 else 2);
  Real x = p.x;
  Real y = P.t[1, 2, p.k + (if time < 0.5 then 1 else 0)];
end Top;
