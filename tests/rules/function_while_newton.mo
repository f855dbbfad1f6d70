// rule: a while loop whose count depends on the data (Newton's iteration for a root)
// expect y(2) = sqrt(2)
function root
  input Real a;
  output Real x;
protected
  Integer k = 0;
algorithm
  x := 1;
  while abs(x*x - a) > 1e-12 and k < 50 loop
    x := 0.5*(x + a/x);
    k := k + 1;
  end while;
end root;
model FunctionWhileNewton
  Real y = root(1 + time/2);
  annotation(experiment(StopTime = 2));
end FunctionWhileNewton;
