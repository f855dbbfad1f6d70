// rule: delay(e, T) is e(time - T), and e(start) before that
// expect y(0.25) = 1
// expect y(1) = 1.5
model DelayOperator
  Real x(start = 1, fixed = true);
  Real y = delay(x, 0.5);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end DelayOperator;
