// rule: start may be an expression of parameters; -p reaches it
// run solve -p k=2
// expect x(0) = 5
model StartExpression
  parameter Real k = 1;
  Real x(start = 2*k + 1, fixed = true);
equation
  der(x) = 0;
  annotation(experiment(StopTime = 1));
end StartExpression;
