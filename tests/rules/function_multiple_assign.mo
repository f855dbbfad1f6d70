// rule: (a, b) := f(x) in an algorithm; inputs keep their values
// expect y(1) = 5
function swap
  input Real a, b;
  output Real c, d;
algorithm
  c := b;
  d := a;
end swap;
function difference
  input Real a, b;
  output Real y;
protected
  Real p, q;
algorithm
  (p, q) := swap(a, b);
  y := p - q;
end difference;
model FunctionMultipleAssign
  Real y = difference(2, 7*time);
  annotation(experiment(StopTime = 1));
end FunctionMultipleAssign;
