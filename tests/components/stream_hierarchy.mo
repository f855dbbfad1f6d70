// rule: streams are mixed outside of a component and pass through its connectors
// expect r.hin(0) = 17.5 +- 1e-4
// expect box.inner_h(0) = 17.5 +- 1e-4
connector F
  Real p;
  flow Real m;
  stream Real h;
end F;
model Src
  parameter Real m = 1, h = 10;
  F f;
equation
  f.m = -m;
  f.h = h;
end Src;
model Snk
  F f;
  Real hin = inStream(f.h);
equation
  f.p = 1e5;
  f.h = 99;
end Snk;
model Pipe
  F a, b;
equation
  a.p = b.p;
  a.m + b.m = 0;
  a.h = inStream(b.h);
  b.h = inStream(a.h);
end Pipe;
model Box
  F a, b;
  Pipe p;
  Real inner_h = inStream(p.a.h);
equation
  connect(a, p.a);
  connect(p.b, b);
end Box;
model Top
  Src s1(m = 1, h = 10), s2(m = 3, h = 20);
  Box box;
  Snk r;
equation
  connect(s1.f, box.a);
  connect(s2.f, box.a);
  connect(box.b, r.f);
end Top;
