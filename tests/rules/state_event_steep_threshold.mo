// rule: a force that stops at zero while it changes fast starts the next step with slopes that are no rounding errors
// run solve --method bdf --rtol 1e-8
// run solve --method radau --rtol 1e-8
// expect x(0.8) = 0.019159274 +- 1e-7
// expect v(0.8) = 1.6902107 +- 1e-6
// expect x(1.5) = 0.0065740777 +- 1e-6
model StateEventSteepThreshold
  Real x(start = 0.4, fixed = true), v(start = 0, fixed = true), f, fs;
  Boolean touch;
equation
  fs = -1e4*x - 10*v;
  touch = x < 0 and fs > 0;
  f = if touch then fs else 0;
  der(x) = v;
  0.5*der(v) = f - 0.5*9.81;
  annotation(experiment(StopTime = 1.5));
end StateEventSteepThreshold;
