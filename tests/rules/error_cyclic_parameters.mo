// rule: parameters that depend on one another are named
// expect exit 3
// expect error 5 'cycle_'
model ErrorCyclicParameters
  parameter Real cycle_a = cycle_b + 1, cycle_b = cycle_a - 1;
  Real y = cycle_a;
  annotation(experiment(StopTime = 1));
end ErrorCyclicParameters;
