// rule: equations without a real solution: no consistent start
// expect exit 5
model ErrorNoSolutionAtStart
  Real level(start = 1);
equation
  level^2 = -1;
  annotation(experiment(StopTime = 1));
end ErrorNoSolutionAtStart;
