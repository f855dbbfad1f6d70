// rule: fixed values that contradict the equations: no consistent start; the variables are named
// expect exit 5
// expect error 'inflow'
model ErrorFixedConflict
  Real level(start = 1, fixed = true), inflow(start = 1, fixed = true);
equation
  der(level) = -level;
  level + inflow = 3;
  annotation(experiment(StopTime = 1));
end ErrorFixedConflict;
