// rule: an initial equation that contradicts a fixed value: no consistent start
// expect exit 5
// expect error 'initial equation "level = 2" (line 7) and level fixed at 1 contradict each other'
model ErrorInitialConflict
  Real level(start = 1, fixed = true);
initial equation
  level = 2;
equation
  der(level) = -level;
  annotation(experiment(StopTime = 1));
end ErrorInitialConflict;
