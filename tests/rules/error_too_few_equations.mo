// rule: too few equations: the variables without one are named
// expect exit 4
// expect error 'pressure'
model ErrorTooFewEquations
  Real level(start = 1), pressure;
equation
  der(level) = -level;
  annotation(experiment(StopTime = 1));
end ErrorTooFewEquations;
