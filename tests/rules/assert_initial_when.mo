// rule: an assertion of the start is checked (when initial())
// expect exit 1
// expect error 'begins too high'
model AssertInitial
  Real x(start = 3, fixed = true);
equation
  when initial() then
    assert(x < 2, "begins too high");
  end when;
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end AssertInitial;
