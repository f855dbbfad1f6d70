// rule: branches of an if-equation may contain der()
// expect x(1) = 2
// expect x(2) = 1
model IfEquationDer
  Real x(start = 0, fixed = true);
equation
  if time < 1 then
    der(x) = 2;
  else
    der(x) = -1;
  end if;
  annotation(experiment(StopTime = 2));
end IfEquationDer;
