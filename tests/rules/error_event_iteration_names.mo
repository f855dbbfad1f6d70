// rule: of many variables that keep changing in an event six are named, in the order of their declarations
// expect exit not 0
// expect error ': n1, n2, n3, n4, n5, n6 keep changing'
// expect end 0.5
model ErrorEventIterationNames
  Real x(start = 0, fixed = true);
  Integer n1(start = 0, fixed = true), n2(start = 0, fixed = true), n3(start = 0, fixed = true), n4(start = 0, fixed = true);
  Integer n5(start = 0, fixed = true), n6(start = 0, fixed = true), n7(start = 0, fixed = true);
equation
  der(x) = 1;
  n1 = if x > 0.5 then 1 - pre(n1) else 0;
  n2 = if x > 0.5 then 1 - pre(n2) else 0;
  n3 = if x > 0.5 then 1 - pre(n3) else 0;
  n4 = if x > 0.5 then 1 - pre(n4) else 0;
  n5 = if x > 0.5 then 1 - pre(n5) else 0;
  n6 = if x > 0.5 then 1 - pre(n6) else 0;
  n7 = if x > 0.5 then 1 - pre(n7) else 0;
  annotation(experiment(StopTime = 1));
end ErrorEventIterationNames;
