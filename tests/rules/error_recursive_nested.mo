// rule: a recursion through nested calls ends with a message, not with the memory of the stack
// expect exit not 0
// expect error 'nested too deeply'
function g
  input Real u;
  output Real y;
algorithm
  y := u + 1;
end g;
function f
  input Real u;
  output Real y;
algorithm
  y := g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(max(f(u - 1), u)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
end f;
model ErrorRecursiveNested
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
  annotation(experiment(StopTime = 1));
end ErrorRecursiveNested;
