// rule: errors of connections and of equations are said together
// expect exit 3
// expect error 26:3 'connect(a.p, c): 'a.p' has no 'w''
// expect error 27:13 'subscript 3'
// expect error 28:7 'unknown name'
connector Pin
  Real v;
  flow Real i;
end Pin;
connector Flange
  Real w;
  flow Real tau;
end Flange;
model Part
  Pin p;
equation
  p.v = if cardinality(p) > 0 then 1 else p.i;
end Part;
model Top
  Part a;
  Part b[2];
  Flange c;
  Real y;
  Real z = y;
equation
  connect(a.p, c);
  connect(b[3].p, a.p);
  y = unknown + 1;
end Top;
