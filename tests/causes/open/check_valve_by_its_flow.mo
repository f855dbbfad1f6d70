// cause: contradiction | event_iteration
// culprits: closed, q, dp
// time: 1.5707963 +- 1e-2
// why: a closed valve has no flow, and no flow is not a backward one, so it opens; open, the flow is backward.
model CheckValveByItsFlow "a check valve that closes where its own flow is negative, in SI units"
  parameter Real R = 1e9, A = 0.01;
  Real pump, dp, q, level(start = 1, fixed = true);
  Boolean closed;
equation
  pump = 2e5*cos(time);
  pump = dp + R*q;
  closed = q < 0;
  if closed then
    q = 0;
  else
    dp = 0;
  end if;
  A*der(level) = q;
  annotation(experiment(StopTime = 3));
end CheckValveByItsFlow;
