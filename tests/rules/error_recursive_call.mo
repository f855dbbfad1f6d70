// rule: a recursion without end during the run is told with the name of the function
// expect exit not 0
// expect error 'function 'f''
function f
  input Real u;
  output Real y;
algorithm
  y := f(u + 1);
end f;
model ErrorRecursiveCall
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
  annotation(experiment(StopTime = 1));
end ErrorRecursiveCall;
