// rule: a default value that calls its own function is a recursion without end
// expect exit 3
// expect error 6:19 'recursion'
function twice
  input Real u;
  output Real y = twice(u);
algorithm
end twice;
model ErrorRecursiveDefault
  Real x(start = 1, fixed = true);
equation
  der(x) = -twice(x);
  annotation(experiment(StopTime = 1));
end ErrorRecursiveDefault;
