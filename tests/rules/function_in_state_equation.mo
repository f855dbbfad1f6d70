// rule: functions may depend on states; the solver differentiates them
// der(x) = -2 x, x = exp(-2 t); the loop gives -(x + x)
// expect x(0.5) = exp(-1) +- 1e-4
function minusSum
  input Real x;
  input Integer n;
  output Real y = 0;
algorithm
  for i in 1:n loop
    y := y - x;
  end for;
end minusSum;
model FunctionInStateEquation
  Real x(start = 1, fixed = true);
equation
  der(x) = minusSum(x, 2);
  annotation(experiment(StopTime = 0.5));
end FunctionInStateEquation;
