// rule: a Boolean inside an algebraic loop
// u = 1 - t; conducting (u > 0): i = u/2, v = 0; blocking: i = 0, v = u
// expect i(0.5) = 0.25
// expect v(0.5) = 0
// expect off(0.5) = false
// expect off(1+) = true
// expect i(1.5) = 0
// expect v(1.5) = -0.5
model IdealDiode
  Real s, i, v, u = 1 - time;
  Boolean off;
equation
  off = s < 0;
  v = s*(if off then 1 else 0);
  i = s*(if off then 0 else 1);
  u = 2*i + v;
  annotation(experiment(StopTime = 2));
end IdealDiode;
