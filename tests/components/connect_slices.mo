// rule: slices and lists of connectors in connect
// expect t(0) = 10
// expect b.p[2].i(0) = -4
connector P
  Real v;
  flow Real i;
end P;
model A
  P p[4];
equation
  p.v = {1, 2, 3, 4};
end A;
model B
  P p[2];
equation
  p.i = -2*p.v .+ 0;
end B;
model Top
  A a;
  B b, c;
  Real t = sum(b.p.v) + sum(c.p.v);
equation
  connect(a.p[1:2], b.p);
  connect(a.p[{4, 3}], c.p);
end Top;
