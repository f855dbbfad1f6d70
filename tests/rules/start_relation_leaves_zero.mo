// rule: where a guess of zero selects a branch without solution, other guesses are tried
// expect length(0) = 0.5
// expect e(0) = 0.6
model StartRelationLeavesZero
  Real length, s, e, f(start = 1, fixed = true);
equation
  der(f) = 0;
  s = if length > 1e-10 then length else 1e-10;
  e = 0.3/s;
  e^2 + (0.4/length)^2 = f;
  annotation(experiment(StopTime = 0.1));
end StartRelationLeavesZero;
