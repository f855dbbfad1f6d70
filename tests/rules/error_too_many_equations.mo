// rule: too many equations: the overdetermined variables are named
// expect exit 4
// expect error 'pressure'
model ErrorTooManyEquations
  Real pressure;
equation
  pressure = 1 + time;
  2*pressure = 2 + time;
  annotation(experiment(StopTime = 1));
end ErrorTooManyEquations;
