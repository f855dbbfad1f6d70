// rule: an event stops where its relation changes and counts once, although the state is moved onto
// the constraint afterwards, at a loose tolerance by more than the width of the relation
// run solve --rtol 1e-2
// expect n(20) = 9
// expect above(20) = 19
model EventOnConstraint
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, F;
  Integer n(start = 0, fixed = true), above(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F * x;
  der(v) = -F * y - 9.81;
  x ^ 2 + y ^ 2 = 1;
  when x > 0.3 then
    n = pre(n) + 1;
  end when;
  when y > -0.9 then
    above = pre(above) + 1;
  end when;
  annotation(experiment(StopTime = 20));
end EventOnConstraint;
