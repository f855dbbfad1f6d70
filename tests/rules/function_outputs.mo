// rule: several outputs: all, the first alone, and holes in the list
// expect a(2) = 3
// expect b(2) = 1
// expect c(2) = 2
// expect d(2) = 3
// expect e(2) = 2
function combine
  input Real x, y;
  output Real s = x + y, d = x - y, p = x*y;
algorithm
end combine;
model FunctionOutputs
  Real a, b, c, d, e;
equation
  (a, b, c) = combine(time, 1);
  d = combine(time, 1);
  (, , e) = combine(time, 1);
  annotation(experiment(StopTime = 2));
end FunctionOutputs;
