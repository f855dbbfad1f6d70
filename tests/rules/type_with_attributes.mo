// rule: a type brings its attributes; the declaration may change them
// expect x(0) = 2
// expect y(0) = 4
type Voltage = Real(unit = "V", start = 2, fixed = true);
type Vector = Real[2];
model TypeWithAttributes
  Voltage x, y(start = 4);
  Vector v = {x, y};
equation
  der(x) = 1;
  der(y) = v[1] - x;
  annotation(experiment(StopTime = 1));
end TypeWithAttributes;
