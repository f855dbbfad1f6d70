// rule: a root inside a branch may have the argument that the condition of the branch guards
// The branch is kept until the event, which lies a little beyond the limit; steps are tried beyond it.
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// expect h(1) = 0.25
// expect h(3) = 0
// expect g(1) = 0.25
// expect g(3) = 0
// expect v(3) = 2**2.5/2.5
// expect w(0.5) = (1 - 0.5**2.5)/2.5
// expect w(3) = 1/2.5
// expect z(3) = sqrt(2)*2/3*2.25**1.5
model GuardedRoot
  parameter Real k = 1, limit = 1;
  Real h(start = 1, fixed = true), q, g(start = 1, fixed = true), s, t(start = 0, fixed = true);
  Real v(start = 0, fixed = true), w(start = 0, fixed = true), z(start = 0, fixed = true);
  Boolean wet;
equation
  der(h) = -q;
  q = if h > 0 then k*sqrt(h) else 0;
  der(g) = -s;
  wet = not g <= 0;
  if wet then
    s = sqrt(g);
  else
    s = 0;
  end if;
  der(t) = 1;
  der(v) = if t > limit then (t - limit)^1.5 else 0;
  der(w) = if t >= limit then 0 else (limit - t)^1.5;
  der(z) = if t < 0.75 and t - 0.75 < 0 then 0 else 2*sqrt((t - 0.75)/2) + 0*h;
  annotation(experiment(StopTime = 3));
end GuardedRoot;
