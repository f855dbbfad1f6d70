// rule: arrays of components with arrays of connectors
// expect total(0) = 66
// expect c[2].p[3].v(0) = 6
// expect c[1].i[1](0) = 1
connector P
  Real v;
  flow Real i;
end P;
model Multi
  parameter Integer m = 3;
  parameter Real g = 1;
  P p[m];
  Real i[m] = p.i;
equation
  p.i = g*p.v;
end Multi;
model V
  parameter Real v = 1;
  P p;
equation
  p.v = v;
end V;
model Top
  parameter Integer n = 2;
  Multi c[n](each m = 3, g = {1, 2});
  V s[n, 3](v = [1, 2, 3; 4, 5, 6]);
  Real total = sum(c.p.i) + sum(s.p.v) + sum(c[:].p[1].i);
equation
  for k in 1:n loop
    for j in 1:3 loop
      connect(c[k].p[j], s[k, j].p);
    end for;
  end for;
end Top;
