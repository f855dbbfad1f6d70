// rule: initial() in a when-condition makes its equations hold at the start
// expect n(0.25) = 11
// expect n(0.75) = 12
// expect y(0.25) = 5
// expect y(0.75) = 5
model WhenInitial
  Integer n(start = 10, fixed = true);
  discrete Real y;
equation
  when {initial(), time >= 0.5} then
    n = pre(n) + 1;
  end when;
  when initial() then
    y = 5;
  end when;
  annotation(experiment(StopTime = 1));
end WhenInitial;
