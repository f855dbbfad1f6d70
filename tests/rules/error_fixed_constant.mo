// rule: a fixed value of a variable that the equations make a constant must be that constant
// expect exit 5
// expect error 'y is fixed at 2'
model ErrorFixedConstant
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 3, fixed = true);
equation
  y = 3;
  z = 3;
  der(x) = -x * z;
  annotation(experiment(StopTime = 1));
end ErrorFixedConstant;
