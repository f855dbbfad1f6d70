// rule: a size that calls its own function is a recursion without end
// expect exit 3
// expect error 'recursion'
function twice
  input Real u[:];
  output Real y[size(twice(u), 1)];
algorithm
  y := 2*u;
end twice;
model ErrorRecursiveSize
  Real x(start = 1, fixed = true);
equation
  der(x) = -sum(twice({x, x}));
  annotation(experiment(StopTime = 1));
end ErrorRecursiveSize;
