// rule: a start condition that is flat at its solution is told apart from one that follows from others
// expect warning 'initial equation "(x - 1)^2 = 0" (line 8) does not determine x: fix x instead'
// expect x(0) = 1
// expect y(0) = 2
model StartFlatCondition
  Real x(start = 1), y(start = 2);
initial equation
  (x - 1)^2 = 0;
  y = 2;
equation
  der(x) = -x;
  der(y) = -y;
  annotation(experiment(StopTime = 0.1));
end StartFlatCondition;
