// rule: fixed values that contradict the equations: no consistent start; the variables are named
// expect exit 5
// expect error 'equation "level + inflow = 3" (line 8), level fixed at 1 and inflow fixed at 1 contradict each other'
model ErrorFixedConflict
  Real level(start = 1, fixed = true), inflow(start = 1, fixed = true);
equation
  der(level) = -level;
  level + inflow = 3;
  annotation(experiment(StopTime = 1));
end ErrorFixedConflict;
