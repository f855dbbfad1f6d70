// rule: an assertion of the start is not checked later
// expect x(1) = 2
model AssertInitialOnly
  Real x(start = 1, fixed = true);
initial equation
  assert(x < 1.5, "begins too high");
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end AssertInitialOnly;
