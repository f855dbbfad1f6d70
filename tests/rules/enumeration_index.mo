// rule: an enumeration may be a dimension, a subscript and the range of a loop
// expect y(1) = 20
// expect z(1) = 6
// expect s(1) = 3
type Color = enumeration(red, green, blue);
model EnumerationIndex
  parameter Real k[Color] = {10, 20, 30};
  Real x[Color];
  Real y = k[Color.green]*time;
  Real z = x[Color.blue];
  Integer s = size(x, 1);
equation
  for c in Color loop
    x[c] = 2*Integer(c);
  end for;
  annotation(experiment(StopTime = 1));
end EnumerationIndex;
