// rule: an assertion of the start is checked (initial algorithm)
// expect exit 1
// expect error 'begins too high'
model AssertInitial
  Real x(start = 3, fixed = true);
initial algorithm
  if x > 1 then
    assert(x < 2, "begins too high");
  end if;
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end AssertInitial;
