// rule: a second derivative is written with a variable for the first one
// expect exit 3
// expect error 8:10 'der() has one argument: a second derivative is der(v)'

model SecondDerivative
  Real x(start = 1, fixed = true);
equation
  der(x, 2) = -x;
  annotation(experiment(StopTime = 1));
end SecondDerivative;
