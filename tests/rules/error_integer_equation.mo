// rule: an equation between an Integer variable and a Real value needs a Real unknown
// expect exit 3
// expect error 10 'Integer'
model ErrorIntegerEquation
  Real x(start = 0.5, fixed = true), y;
  Integer n, k;
equation
  n = integer(3*x);
  n = y; // fine: y is what it determines
  k = n/2;
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end ErrorIntegerEquation;
