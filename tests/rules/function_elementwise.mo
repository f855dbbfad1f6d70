// rule: a function of scalars is applied to each element of an array
// expect a[2](1) = 4
// expect b[2](1) = 1
// expect c[2](1) = 12
function square
  input Real x;
  output Real y;
algorithm
  y := x*x;
end square;
function times
  input Real x, y;
  output Real z;
algorithm
  z := x*y;
end times;
model FunctionElementwise
  Real a[2] = square({1, 2}*time), b[2] = exp({1, 0}*time);
  Real c[2] = times({3, 4}, {2, 3}*time);
  annotation(experiment(StopTime = 1));
end FunctionElementwise;
