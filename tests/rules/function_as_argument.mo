// rule: a function may be an argument, also with some of its inputs already given
// expect a(1) = 13
// expect b(1) = 15
partial function Shape input Real x; output Real y; end Shape;
function scaled
  input Real x;
  input Real k = 1;
  output Real y = k*x;
algorithm
end scaled;
function square input Real x; output Real y = x*x; algorithm end square;
function sumTwo
  input Shape f;
  input Real u;
  output Real s;
algorithm
  s := f(u) + f(u + 1);
end sumTwo;
model FunctionAsArgument
  Real a = sumTwo(square, 2*time), b = sumTwo(function scaled(k = 3), 2*time);
  annotation(experiment(StopTime = 1));
end FunctionAsArgument;
