// rule: the value of an attribute has the type of the attribute
// expect exit 3
// expect error 22 'String, not Real'
// expect error 23 'Boolean, not Real'
// expect error 24 'Integer, not String'
// expect error 25 'Integer, not Boolean'
// expect error 26 'String, not Real'
// expect error 27 'String, not StateSelect'
// expect error 28 'Boolean, not String'
// expect error 29 'Integer, not String'
// expect error 30 'Boolean, not Real'
// expect error 31 ''n' is Real, not Integer'
// expect error 32 ''b' is Integer, not Boolean'
// expect error 33 'Integer[2], but 'v' is Real[3]'
// expect error 'attribute 'start' of 'r.a' is Boolean, not Real'
// expect error 35 ''start' is given twice'
// expect error 36 ''start' has no value'
record R
  Real a(start = true);
end R;
model ErrorAttributeTypes
  Real x0(start = "one");
  Real x1(start = true);
  Real x2(unit = 5);
  Real x3(fixed = 1);
  Real x4(nominal = "big");
  Real x5(stateSelect = "always");
  Real x6(displayUnit = true);
  Real x7(quantity = 3);
  Real x8(min = false);
  Integer n(start = 1.5);
  Boolean b(start = 1);
  Real v[3](start = {1, 2});
  R r;
  Real w(start = 1, start = 2);
  Real s(start);
equation
  annotation(experiment(StopTime = 1));
end ErrorAttributeTypes;
