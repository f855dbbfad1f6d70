// rule: a constraint that an event changes moves the states it binds, and the impulse is told
// The flow q of a pipe, whose inertia makes it a state, is prescribed: 0.1 until the level has fallen to 0.5 at
// t = 5, and 0 from then on.  The pressure p would be an impulse at that time.
// run solve
// run solve --method bdf
// run solve --method rodas --rtol 1e-4
// run solve --reduction dummy
// expect q(5-) = 0.1
// expect q(5+) = 0
// expect h(8) = 0.5
// expect p(8) = 0.5
model EventConstraintJumps
  Real h(start = 1, fixed = true), q, p;
equation
  der(h) = -q;
  q = if h > 0.5 then 0.1 else 0;
  der(q) = h - p;
  annotation(experiment(StopTime = 8));
end EventConstraintJumps;
