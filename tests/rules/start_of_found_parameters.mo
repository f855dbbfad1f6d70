// rule: a start value may divide by a parameter that initial equations determine
// run solve
// expect c(1) = 2/3
// expect d(0) = 24
model StartOfFoundParameters
  parameter Real a(fixed = false), b(fixed = false);
  Real c(start = a/b, fixed = true), d(start = a*b, fixed = true);
  Real guessed(start = log(a));
initial equation
  a = 4;
  b = 6;
equation
  der(c) = 0;
  der(d) = 1;
  guessed^3 = 8;
  annotation(experiment(StopTime = 1));
end StartOfFoundParameters;
