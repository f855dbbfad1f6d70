// rule: a record in a function has the values of its declaration
// expect x(0) = 17
// expect y(0) = 9
record Data
  Real a[3] = {1, 2, 4};
  Real b = 5;
end Data;
record Pair
  Data d;
  Real c = 2;
end Pair;
function f
  input Real u;
  output Real v;
protected
  Data data;
algorithm
  v := u*data.a[3] + data.b;
  data.b := 0;
end f;
model RecordDefaultsInFunction
  Real x = f(3);
  parameter Pair p = Pair(c = 4);
  Real y = p.c + p.d.b;
end RecordDefaultsInFunction;
