// rule: a when-equation acts once, where its condition becomes true; its variable holds the value
// expect y(0.25) = 3
// expect y(0.5-) = 3
// expect y(0.5+) = 1
// expect y(1) = 1
model WhenEquation
  Real x = 2*time;
  discrete Real y(start = 3, fixed = true);
equation
  when time >= 0.5 then
    y = x;
  end when;
  annotation(experiment(StopTime = 1));
end WhenEquation;
