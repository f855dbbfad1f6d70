// rule: a declaration of a function may call it under a condition
// expect x(0.25) = 0.5
// expect x(1) = -0.5
function f
  input Real u;
  output Real y;
protected
  Real below = if u > 0 then f(u - 1) else 0;
algorithm
  y := below + 1;
end f;
model FunctionRecursiveDeclaration
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
  annotation(experiment(StopTime = 1));
end FunctionRecursiveDeclaration;
