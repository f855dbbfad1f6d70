// rule: `not` before `and` before `or`; relations bind tighter than all three
// expect a(1) = true
// expect b(1) = true
// expect c(1) = false
// expect d(1) = true
// expect e(1) = false
model BooleanOperators
  parameter Boolean t = true, f = false;
  Boolean a = t or f and f   "t or (f and f)";
  Boolean b = not f and t    "(not f) and t";
  Boolean c = not (f or t);
  Boolean d = 1 + 1 < 3 and 2 <= 2 and not 3 > 3;
  Boolean e = 2 <> 2 or 1 == 2 or 3 >= 4;
  annotation(experiment(StopTime = 1));
end BooleanOperators;
