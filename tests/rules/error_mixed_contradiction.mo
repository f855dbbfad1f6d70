// rule: relations that contradict one another end the run; the message names them
// expect exit 1
// expect error 'relations'
// expect end 1
model MixedContradiction
  Real a, b;
  Real p = if time < 1 then 0 else 1;
equation
  a = if b > 0 then 1 - 2*p else 1;
  b = if a > 0 then 1 else 2*(1 - p) - 1;
  annotation(experiment(StopTime = 2));
end MixedContradiction;
