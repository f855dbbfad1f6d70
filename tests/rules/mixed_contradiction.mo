// rule: relations that contradict one another do not end the run; a warning reports them
// expect a(0.5) = 1
// expect p(2) = 1
// expect end 2
// expect warning 'relations'
model MixedContradiction
  Real a, b;
  Real p = if time < 1 then 0 else 1;
equation
  a = if b > 0 then 1 - 2*p else 1;
  b = if a > 0 then 1 else 2*(1 - p) - 1;
  annotation(experiment(StopTime = 2));
end MixedContradiction;
