// rule: a parameter may be the result of a function of parameters
// expect y(1) = 25
function square
  input Real x;
  output Real y;
algorithm
  y := x*x;
end square;
model ParameterFunction
  parameter Real b = square(a);
  parameter Real a = 5;
  Real y = b*time;
  annotation(experiment(StopTime = 1));
end ParameterFunction;
