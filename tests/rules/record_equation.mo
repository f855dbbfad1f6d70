// rule: an equation between records is one equation for each member
// expect q.a(1) = 1
// expect q.v[2](1) = 4
record Mixed
  Real a;
  Real v[2];
end Mixed;
model RecordEquation
  Mixed p, q;
equation
  p.a = time;
  p.v = {3, 4};
  q = p;
  annotation(experiment(StopTime = 1));
end RecordEquation;
