// rule: the time of a delay may change, up to its third argument
// expect y(0.2) = 0
// expect y(2) = 1.5-0.3*sin(2)
// expect y(4) = 3.5-0.3*sin(4)
model DelayVariable
  Real x = time;
  Real y = delay(x, 0.5 + 0.3*sin(time), 1);
  annotation(experiment(StopTime = 5));
end DelayVariable;
