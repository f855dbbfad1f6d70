// rule: a variable is clocked or continuous, not both
// run solve -t 1
// expect exit 3
// expect error 8 'hold()'
model ErrorClockMixed
  Real x(start = 1, fixed = true), u; equation
  der(x) = u;
  u = sample(x, Clock(0.1));
end ErrorClockMixed;
