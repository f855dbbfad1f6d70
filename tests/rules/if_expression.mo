// rule: if-expressions with elseif, nested as operands in parentheses
// expect y(0.5) = 1
// expect y(1.5) = 2
// expect y(2.5) = 3
// expect z(2.5) = 13
model IfExpression
  Real y = if time < 1 then 1 elseif time < 2 then 2 else 3;
  Real z = 10 + (if time < 1 then 1 else if time < 2 then 2 else 3);
  annotation(experiment(StopTime = 3));
end IfExpression;
