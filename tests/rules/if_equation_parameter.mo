// rule: an if-equation with a parameter condition takes one branch
// run solve -p n=2
// expect x(1) = 5
// expect y(1) = 6
model IfEquationParameter
  parameter Integer n = 1;
  Real x, y;
equation
  if n == 1 then
    x = 1;
    y = 1;
  else
    x = 5*time;
    y = x + 1;
  end if;
  annotation(experiment(StopTime = 1));
end IfEquationParameter;
