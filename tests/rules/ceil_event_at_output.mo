// rule: roundings change at their events, also where an output point lies within their hysteresis
// expect x(0.67510493787) = 2
// expect x(0.6751049387) = 2
// expect x(0.6751049387981285) = 2
// expect c(7) = 7.459028904426145
// expect f(7) = 0.45902890442614463
model CeilEventAtOutput
  Real x = 2.6*sin(1.3*time);
  Real c(start = 0, fixed = true), f(start = 0, fixed = true);
equation
  der(c) = ceil(x);
  der(f) = floor(x);
  annotation(experiment(StopTime = 7));
end CeilEventAtOutput;
