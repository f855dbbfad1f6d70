// rule: the time of a delay may itself depend on a delayed variable
// expect d(2) = 1.9
// expect d(5) = 4.6
// expect e(5) = 21.16 +- 1e-4
// expect f(4) = 3.8
model DelayOfDelayTime
  Real x(start = 0, fixed = true), d, e, f, lag;
equation
  der(x) = 1;
  lag = delay(x, 1);
  d = delay(x, 0.1 * delay(x, 1), 3);
  e = delay(x ^ 2, 0.1 * delay(x, 1), 3);
  f = delay(x, 0.1 * delay(x, 0.2 * delay(x, 1) + 1.4, 5), 5);
  annotation(experiment(StopTime = 5));
end DelayOfDelayTime;
