// rule: an assertion that holds changes nothing; its message is not computed
// expect x(1) = 1
model AssertHolds
  parameter Real zero = 0;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 2, "never said: " + String(1/zero));
  annotation(experiment(StopTime = 1));
end AssertHolds;
