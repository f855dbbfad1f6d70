// rule: a loop of discrete equations without a solution ends the run where this begins; a variable of the loop is
// named
// expect exit 1
// expect error 'p changes'
// expect end 0.7
model ErrorEventLoop
  Boolean u = time >= 0.7, p, q;
  Real x(start = 0, fixed = true);
equation
  p = q and u;
  q = not p;
  der(x) = if p then 1 else 2;
  annotation(experiment(StopTime = 1));
end ErrorEventLoop;
