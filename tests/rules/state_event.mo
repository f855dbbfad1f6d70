// rule: a relation between continuous variables changes at the crossing
// x = 2 t crosses 1 at 0.5
// expect b(0.5-) = false
// expect b(0.5+) = true
// expect x(0.5+) = 1
// expect y(1) = 1.5
model StateEvent
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Boolean b = x > 1;
equation
  der(x) = 2;
  der(y) = if b then 3 else 0;
  annotation(experiment(StopTime = 1));
end StateEvent;
