// rule: records inside records; members by dotted names; modifiers reach inside
// expect o.i.x(1) = 6
// expect y(1) = 7
record Inner
  Real x;
end Inner;
record Outer
  Inner i;
  Real z;
end Outer;
model RecordNested
  Outer o(i(x(start = 5, fixed = true)));
  Real y = o.i.x + o.z;
equation
  der(o.i.x) = 1;
  o.z = time;
  annotation(experiment(StopTime = 1));
end RecordNested;
