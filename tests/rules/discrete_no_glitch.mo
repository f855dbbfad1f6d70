// rule: discrete equations are evaluated in the order of their dependence, however they are written: nothing
// in between is seen, such as p and q both true when q becomes true and p = not q follows
// expect n(3) = 0
// expect m(3) = 3
// expect sum(3) = 11
model DiscreteNoGlitch
  Boolean both, p, q;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), a, b, c, sum;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  q = x > 0.5 and x < 1.5 or x > 2.5;
  both = p and q;
  p = not q;
  when both then
    n = pre(n) + 1;
  end when;
  when change(q) then
    m = pre(m) + 1;
  end when;
  sum = a + b + c;
  a = 2 * b;
  b = c + 1;
  c = if q then 2 else 0;
  annotation(experiment(StopTime = 3));
end DiscreteNoGlitch;
