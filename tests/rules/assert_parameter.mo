// rule: an assertion about parameters only fails before the run
// expect error 'the radius must be positive'
// run solve -p r=-1
// expect exit not 0
model AssertParameter
  parameter Real r = 1;
  Real x = r*time;
equation
  assert(r > 0, "the radius must be positive");
  annotation(experiment(StopTime = 1));
end AssertParameter;
