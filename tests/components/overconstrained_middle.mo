// rule: a loop of overdetermined connectors is cut far from its root
// expect c.is_rooted(0) = 1
// expect d.is_rooted(0) = 1
// expect e.is_rooted(0) = 0
// expect e.b.r.x(0) = 1
record Reference
  Real x;
  function equalityConstraint
    input Reference a;
    input Reference b;
    output Real residue[0];
  algorithm
    assert(abs(a.x - b.x) < 1e-9, "references differ");
  end equalityConstraint;
end Reference;
connector Plug
  Real v;
  flow Real i;
  Reference r;
end Plug;
model Source
  Plug a;
equation
  Connections.root(a.r);
  a.r.x = 1;
  a.v = 0;
end Source;
model Line
  Plug a, b;
  Boolean is_rooted = Connections.rooted(a.r);
equation
  Connections.branch(a.r, b.r);
  a.r.x = b.r.x;
  a.v - b.v = a.i;
  a.i + b.i = 0;
end Line;
model Top
  Source s;
  Line c, d, e;
equation
  connect(s.a, c.a);
  connect(c.b, d.a);
  connect(d.b, e.a);
  connect(e.b, s.a);
end Top;
