// rule: if-equations with elseif; the branch may determine different variables
// expect x(0.5) = 1
// expect y(0.5) = 2
// expect x(1.5) = 3
// expect y(1.5) = 9
// expect x(2.5) = 8
// expect y(2.5) = 4
model IfEquation
  Real x, y;
equation
  if time < 1 then
    x = 1;
    y = 2*x;
  elseif time < 2 then
    x = 3;
    y = x*x;
  else
    y = 4;
    x = 2*y;
  end if;
  annotation(experiment(StopTime = 3));
end IfEquation;
