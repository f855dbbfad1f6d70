// rule: buses inside buses get their members from all sides
// expect y(0) = 5
// expect z(0) = 2
connector RealIn = input Real;
connector RealOut = output Real;
expandable connector Inner
end Inner;
expandable connector Outer
  Inner sub;
  Inner other;
end Outer;
model Src
  parameter Real k = 5;
  RealOut o = k;
end Src;
model Sink
  RealIn u;
end Sink;
model Part
  Outer bus;
  Src s(k = 5), s2(k = 2);
equation
  connect(s.o, bus.sub.speed);
  connect(s2.o, bus.other.torque);
end Part;
model Top
  Part part;
  Outer bus;
  Sink a, b;
  Real y = a.u;
  Real z = b.u;
equation
  connect(part.bus, bus);
  connect(bus.sub.speed, a.u);
  connect(b.u, bus.other.torque);
end Top;
