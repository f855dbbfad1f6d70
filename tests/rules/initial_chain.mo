// rule: initial equations of discrete values may follow from one another, in any order
// expect x(0.5) = 5.5
// expect y(0.5) = 2.5
model InitialChain
  parameter Integer a(fixed = false), b(fixed = false), c(fixed = false), d(fixed = false);
  parameter Integer e(fixed = false);
  Real x = a + time, y = d + time;
initial equation
  a = b + 1;
  b = c + 1;
  c = d + 1;
  d = e + 1;
  e = 1;
equation
  annotation(experiment(StopTime = 1));
end InitialChain;
