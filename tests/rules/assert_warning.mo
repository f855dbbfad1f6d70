// rule: an assertion with AssertionLevel.warning only warns
// expect warning 'the level is too high'
// expect level(1) = 1
model AssertWarning
  Real level(start = 0, fixed = true);
equation
  der(level) = 1;
  assert(level < 0.5, "the level is too high", AssertionLevel.warning);
  annotation(experiment(StopTime = 1));
end AssertWarning;
