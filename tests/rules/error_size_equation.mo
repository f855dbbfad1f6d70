// rule: the sides of an array equation, and the operands of +, have the same size
// expect exit 3
// expect error 7
model ErrorSizeEquation
  Real x[2] = {1, 2}, y[3] = {1, 2, 3}, z[2];
equation
  z = x + y;
  annotation(experiment(StopTime = 1));
end ErrorSizeEquation;
