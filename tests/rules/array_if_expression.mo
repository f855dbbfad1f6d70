// rule: an if-expression may have array values
// expect x[2](0.25) = 2
// expect x[2](0.75) = 4
model ArrayIfExpression
  Real x[2] = if time < 0.5 then {1, 2} else {3, 4};
  annotation(experiment(StopTime = 1));
end ArrayIfExpression;
