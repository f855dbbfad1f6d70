// rule: of several potential roots the one of least priority is taken
// expect n(0) = 2
// expect b.p.R.phi(0) = 3
record Ref
  Real phi;
  function equalityConstraint
    input Ref a;
    input Ref b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end Ref;
connector P
  Real v;
  flow Real i;
  Ref R;
end P;
model El
  parameter Integer prio = 1;
  P p;
  parameter Real isr = if Connections.isRoot(p.R) then 1 else 0;
equation
  Connections.potentialRoot(p.R, prio);
  if Connections.isRoot(p.R) then
    p.R.phi = 3;
  end if;
  p.v = p.i;
end El;
model Src
  P p;
equation
  p.v = 2;
end Src;
model Top
  El a(prio = 0), b(prio = 5);
  Src s;
  Real n = s.p.v;
equation
  connect(a.p, b.p);
  connect(b.p, s.p);
end Top;
