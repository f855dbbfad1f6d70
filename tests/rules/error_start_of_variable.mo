// rule: a start value cannot depend on a variable
// expect exit 3
// expect error 6:8 'the start value of 'x' depends on y, which is not a parameter'
model ErrorStartOfVariable
  Real y = time;
  Real x(start = y + 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end ErrorStartOfVariable;
