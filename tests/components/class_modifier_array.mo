// rule: a modifier of a class holds for each element of an array of components of this class
// expect c[2].vk(0) = 5
// expect c[2].v(0) = 11
// expect d[1,2].vk(0) = 5
// expect d[1,1].v(0) = 7
// expect s.p[2].vk(0) = 4
// expect s.p[2].vj(0) = 9
// expect e[2].w(0) = 11
model Part
  parameter Real k = 1;
  parameter Real j = 1;
  Real v = k + time, vk = k, vj = j;
end Part;
model Five = Part(k = 5, v = 11);
model Pair = Part[2](each k = 5, j = {7, 8}, v = {7, 8});
model System
  parameter Integer n = 2;
  parameter Real q = 2;
  replaceable model P = Part constrainedby Part(k = q);
  P p[n](j = {8, 9});
end System;
model Other
  extends Part;
end Other;
model Vectors
  parameter Real w[2] = {1, 2};
end Vectors;
model Top
  Five c[2](j = {10, 11});
  Pair d[1];
  System s(q = 4, redeclare model P = Other);
  model Two = Vectors(w = {10, 11});
  Two one[2];
  model Sum
    Real w;
  end Sum;
  Sum e[2](w = {one[1].w[1], one[2].w[2]});
end Top;
