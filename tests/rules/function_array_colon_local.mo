// rule: a local array declared with : takes the size of its value
// expect y(1) = 12
function f
  input Real u[:];
  output Real y;
protected
  Real c[:] = 2*u;
algorithm
  y := sum(c);
end f;
model FunctionArrayColonLocal
  Real y = f({1, 2, 3}*time);
  annotation(experiment(StopTime = 1));
end FunctionArrayColonLocal;
