// rule: a delay may feed back; what was before the start is the value there
// expect x(0.5) = 0.5
// expect x(2) = -0.5
// expect x(5) = 0.1583333333333333
model DelayEquation
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
  annotation(experiment(StopTime = 5));
end DelayEquation;
