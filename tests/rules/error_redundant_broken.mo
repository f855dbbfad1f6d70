// rule: an equation that was set aside as redundant and ceases to hold ends the run
// run solve
// expect exit 5
// expect error 'does not hold at t ='
model ErrorRedundantBroken
  Real x(start = 1, fixed = true), y;
equation
  der(x) = 1;
  y = noEvent(if x < 1.5 then x else 3 - x);
  y - x = 0*sin(y);
  annotation(experiment(StopTime = 1));
end ErrorRedundantBroken;
