// rule: the history of a delay goes on over a corner at which a step ended and the next one began
// run solve --method radau --rtol 1e-6
// run solve --method rodas --rtol 1e-6
// expect x(1.4) = 0.289 +- 1e-6
// expect h(1.4) = 1.1385215 +- 1e-5
model DelayOverCorner
  Real x(start = 0.8, fixed = true);
  Real h(start = 0.5, fixed = true);
  Real f;
equation
  der(x) = -0.5*delay(x, 0.7);
  f = if h > 1 then 8*(h - 1)^1.5 else 0;
  0.7*der(h) = 0.8*sin(time + 0.4) - f - 0.3*h;
  annotation(experiment(StopTime = 1.4));
end DelayOverCorner;
