// rule: a redeclared model and an extended one bring their own members
// expect y(0) = 8
// expect z(0) = 5
partial model Curve
  input Real u;
  output Real y;
end Curve;
model Lin
  extends Curve;
  parameter Real k = 2;
equation
  y = k*u;
end Lin;
model Sq
  extends Curve;
  parameter Real off = 0;
equation
  y = u^2 + off;
end Sq;
model Device
  replaceable model C = Lin constrainedby Curve;
  C c;
  Real u = 2;
equation
  c.u = u;
end Device;
model Dev2
  extends Device(redeclare model C = Sq(off = 4));
end Dev2;
model Dev3
  extends Device;
  redeclare model extends C
    Real extra = y + 1;
  end C;
end Dev3;
model Top
  Dev2 d;
  Dev3 e;
  Real y = d.c.y;
  Real z = e.c.extra;
end Top;
