// rule: three streams in a component with three ports
// expect m.h(0) = 15 +- 1e-4
// expect s3.hin(0) = 15 +- 1e-4
// expect t1.hin(0) = 20 +- 1e-3
// expect act(0) = 10 
connector F
  Real p;
  flow Real m;
  stream Real h;
end F;
model Src
  parameter Real m = 1, h = 10;
  F f;
  Real hin = inStream(f.h);
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
model Mix
  F f[3];
  Real h;
equation
  for i in 1:3 loop
    f[i].h = h;
  end for;
  f[1].p = f[2].p;
  f[1].p = f[3].p;
  sum(f.m) = 0;
  sum(f[i].m*actualStream(f[i].h) for i in 1:3) = 0;
end Mix;
model Top
  Src s1(m = 1, h = 10), s2(m = 1, h = 20);
  Snk s3;
  Mix m;
  Src t1(m = 1, h = 10), t2(m = 2, h = 20);
  Snk t3;
  Real act = actualStream(m.f[1].h);
equation
  connect(s1.f, m.f[1]);
  connect(s2.f, m.f[2]);
  connect(s3.f, m.f[3]);
  connect(t1.f, t2.f);
  connect(t1.f, t3.f);
end Top;
