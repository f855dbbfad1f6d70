// cause: assertion
// culprits: dp, dc, clearance
// time: 0
// why: the initial section asserts that the piston is smaller than the cylinder, and 80.2 is not below 80.
model DimensionsCheckedAtStart "pneumatic cylinder whose dimensions are checked once"
  parameter Real dc = 80, dp = 80.2, m = 2, F = 10;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
initial equation
  assert(dp < dc, "the clearance of the piston must be positive");
equation
  der(x) = v;
  m*der(v) = F - 3*v;
  annotation(experiment(StopTime = 2));
end DimensionsCheckedAtStart;
