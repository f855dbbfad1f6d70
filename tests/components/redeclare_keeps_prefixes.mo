// rule: prefixes and dimensions stay
// expect s.y(0) = 2
// expect s.q(0) = 4
model System
  replaceable parameter Real p[2] = {1, 2};
  Real y = size(p, 1);
  Real q = p[2];
end System;
type Length = Real(unit = "m");
model Top
  System s(redeclare Length p = {3, 4});
end Top;
