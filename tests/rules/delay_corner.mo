// rule: a step ends at the corners of a delayed signal, also behind several delays
// z is constant until 0.651, where the history begins; a step across that corner would be inaccurate.
// run solve --method radau --rtol 1e-8
// run solve --method rodas --rtol 1e-8
// run solve --method bdf --rtol 1e-8
// expect y(1.962) = 0.472*sin(0.856*(1.962 - 0.311) + 3.27) + 0.414
// expect z(1.962) = 0.472*sin(0.856*(1.962 - 0.651) + 3.27) + 0.414
// expect v(1.962) = 0.0666232659080201 +- 3e-8
// expect v(3.74) = 0.06335542605984 +- 3e-8
model DelayCorner
  Real x, y, z, v(start = 0, fixed = true);
  Real a(start = 1, fixed = true), b, f;
equation
  x = 0.472*sin(0.856*time + 3.27) + 0.414;
  y = delay(x, 0.311);
  z = delay(y, 0.34);
  der(v) = z - 1.42*v;
  der(a) = exp(-time) - f;
  der(b) = f - b;
  a = b;
  annotation(experiment(StopTime = 3.74));
end DelayCorner;
