// rule: enumerations are ordered and count from 1; Integer(e) and E(i) convert
// expect e(0.5) = 1
// expect e(1.5) = 3
// expect n(1.5) = 3
// expect more(0.5) = false
// expect more(1.5) = true
// expect same(1.5) = true
type Color = enumeration(red "r", green, blue);
model EnumerationValues
  Color e = if time < 1 then Color.red else Color.blue;
  Integer n = Integer(e);
  Boolean more = e > Color.green;
  Boolean same = e == Color(3);
  annotation(experiment(StopTime = 2));
end EnumerationValues;
