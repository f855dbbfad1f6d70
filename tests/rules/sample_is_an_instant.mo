// rule: what is equal to sample() is true at its instants only; becoming false triggers clauses that wait for it
// expect y(0.3) = false
// expect x(1.2) = 0
// expect n(0.3) = 1
// expect n(1.2) = 3
// expect f(0.3) = 1
// expect f(1.2) = 3
// expect g(1.2) = 2
model SampleIsAnInstant
  Boolean y = sample(0, 0.5);
  Integer n(start = 0, fixed = true), f(start = 0, fixed = true), g(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = if y then 1 else 0;
  when y then
    n = pre(n) + 1;
  end when;
  when not y then
    f = pre(f) + 1;
  end when;
  when not sample(0.25, 0.5) then
    g = pre(n);
  end when;
  annotation(experiment(StopTime = 1.2));
end SampleIsAnInstant;
