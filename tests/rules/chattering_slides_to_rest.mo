// rule: a controller that slides along its switching line to rest is no accumulation of events
// expect x(10) = 0 +- 5e-3
// expect v(10) = 0 +- 5e-3
// expect warning 'x + 0.5*v > 0'
// run solve --method radau
// run solve --method bdf
// run solve --method rodas
model ChatteringSlidesToRest
  Real x(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
  Real u = if x + 0.5 * v > 0 then -1 else 1;
equation
  der(x) = v;
  der(v) = u - 0.1 * v;
  annotation(experiment(StopTime = 10));
end ChatteringSlidesToRest;
