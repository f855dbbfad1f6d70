// rule: an assertion that fails stops the run with its message
// expect exit 1
// expect error 'the level is too high'
model AssertError
  Real level(start = 0, fixed = true);
equation
  der(level) = 1;
  assert(level < 0.5, "the level is too high");
  annotation(experiment(StopTime = 1));
end AssertError;
