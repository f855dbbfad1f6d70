// rule: initial() is true while the start is computed, false afterwards
// expect y(0.5) = 2
model InitialFunction
  Real y = if initial() then 1 else 2;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end InitialFunction;
