// rule: a member of a bus that is named with subscripts is an array of the size that the connections need
// expect y(0) = 6
connector RealIn = input Real;
connector RealOut = output Real;
expandable connector Bus
end Bus;
model Src
  parameter Real k = 1;
  RealOut o = k;
end Src;
model Vec
  parameter Integer n = 3;
  RealIn u[n];
  Real y = sum(u);
end Vec;
model Top
  Bus bus;
  Src s[3](k = {1, 2, 3});
  Vec v(n = 3);
  Real y = v.y;
equation
  for i in 1:3 loop
    connect(s[i].o, bus.x[i]);
  end for;
  connect(bus.x, v.u);
end Top;
