// rule: of the relations that contradict each other those of time are named only if there are no others
// expect exit 1
// expect error 'have no solution (y > 0.5 in line 9)'
// expect end 1
model ErrorContradictionNamesStates
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = if time > 1 and y > 0.5 then 0 else 1;
  annotation(experiment(StopTime = 2));
end ErrorContradictionNamesStates;
