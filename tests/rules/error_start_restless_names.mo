// rule: relations and discrete variables that keep changing at a start are named, four of them
// expect exit 5
// expect error 'x > 1'
// expect error 'x > 0.5'
// expect error 'x > 1.5'
// expect error ', b,'
model ErrorStartRestlessNames
  Real x(start = 0), u, z;
  Boolean b;
initial equation
  u = 1;
equation
  b = x > 1;
  u = if b then x + 1 else x - 1;
  z = (if x > 0.5 then 1 else 0) + (if x > 1.5 then 1 else 0);
  der(x) = -x + 0*z;
  annotation(experiment(StopTime = 1));
end ErrorStartRestlessNames;
