// rule: connections with an outer connector are made where the inner one is
// expect tot(0) = 3
connector P
  Real v;
  flow Real i;
end P;
model S
  parameter Real c;
  P p;
equation
  p.i = -c;
end S;
model Leaf
  parameter Real c = 1;
  outer P g;
  S s(c = c);
equation
  connect(s.p, g);
end Leaf;
model Box
  Leaf x(c = 1), y(c = 2);
end Box;
model Gnd
  P p;
equation
  p.v = 0;
end Gnd;
model Top
  inner P g;
  Box b;
  Gnd gnd;
  Real tot = gnd.p.i;
equation
  connect(g, gnd.p);
end Top;
