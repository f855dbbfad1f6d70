// rule: an assertion of the start is checked (initial equation)
// expect exit 1
// expect error 'begins too high'
model AssertInitial
  Real x(start = 3, fixed = true);
initial equation
  assert(x < 2, "begins too high");
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end AssertInitial;
