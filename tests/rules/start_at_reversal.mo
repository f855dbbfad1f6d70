// rule: a flow through a square law starts where it is zero: q has an infinite slope there, and the run goes on
// run solve
// run solve --method bdf --rtol 1e-8
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// expect q(2) = sqrt(2)
// expect v(2) = 4*sqrt(2)/3
model StartAtReversal
  Real q(start = 0), v(start = 0, fixed = true);
equation
  q*abs(q) = time;
  der(v) = q;
  annotation(experiment(StopTime = 2));
end StartAtReversal;
