// rule: a model may have an index of two in every mode: two capacitors that are switched between a source and each other
// v1 is 5 while a, then the charge 2*5 + 3 v2 is shared
// expect v1(0.1) = 5
// expect v2(0.1) = 0
// expect v1(0.2) = 2
// expect v2(0.2) = 2
// expect v2(0.4) = 2
// expect v2(0.5) = 3.2
model ModeIndexTwo
  Real v1(start = 0, fixed = false), v2(start = 0, fixed = true), i1, i2;
  Boolean a = sin(20*time) >= 0;
equation
  2*der(v1) = i1 - i2;
  3*der(v2) = i2;
  if a then
    v1 = 5;
    i2 = 0;
  else
    i1 = 0;
    v1 = v2;
  end if;
  annotation(experiment(StopTime = 0.55));
end ModeIndexTwo;
