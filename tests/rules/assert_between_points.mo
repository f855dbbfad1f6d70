// rule: an assert is checked after every step, also between output points
// run solve -n 2 --method bdf
// expect exit 1
// expect error 'too far: 0.09999'
// expect error '(assert in line 11, t = 0.15'
model AssertBetweenPoints
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -100*x;
  assert(x < 0.0999, "too far: " + String(x));
  annotation(experiment(StopTime = 1));
end AssertBetweenPoints;
