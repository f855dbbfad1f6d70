// rule: a mode that contradicts its relation is told in a short run too, which ends a few steps after the event
// expect exit 1
// expect error 'i < 0'
// expect error 'no values of the relations'
model ErrorModeMakesEqualSoon "an ideal diode, switched by its own current, in microseconds"
  Real u, v, i, q(start = 0, fixed = true);
  Boolean off;
equation
  u = 10*sin(1e6*time);
  u = v + 50*i;
  off = i < 0;
  0 = if off then i else v;
  der(q) = 1e6*i;
  annotation(experiment(StopTime = 3.2e-6));
end ErrorModeMakesEqualSoon;
