// rule: delays that cancel out of the equations have the first value of their argument, too
// The values of x and the delays at the start must be found before the iteration of the delays is accelerated.
// run solve
// run solve --method radau
// run solve --method limex
// expect x(0) = 0.9*sin(5.88)
// expect y(0) = 0.9*sin(5.88)
// expect y(0.5) = 0.9*sin(5.88)
// expect y(2) = 0.9*sin(0.6*1.4 + 5.88)
// expect v(0.7) = 0
// expect v(2) = 1 + 0.9*sin(0.6*1.4 + 5.88)
model DelayCancels
  Real x, y, u, v;
equation
  x + y = (0.9*sin(0.6*time + 5.88)) + delay(x, 0.6);
  y = delay(x, 0.6);
  u = if time > 0.3 then 1 + x else 0;
  v = delay(u, 0.6);
  annotation(experiment(StopTime = 2));
end DelayCancels;
