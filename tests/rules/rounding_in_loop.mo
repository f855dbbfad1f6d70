// rule: a rounding in a loop that no whole number satisfies is a contradiction, not a domain error
// run solve
// n = floor(3.95 - 3 n) = 3 - 3 n for a whole n, that is 0.75.
// expect exit 5
// expect error 'no rounded value of'
model RoundingInLoop
  Real level, n, z(start = 0, fixed = true);
equation
  n = floor(4.7 - 3*level);
  level = n + 0.25;
  der(z) = level - z;
  annotation(experiment(StopTime = 1));
end RoundingInLoop;
