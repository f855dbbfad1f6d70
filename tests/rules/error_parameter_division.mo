// rule: a parameter divided by zero is named
// expect exit 3
// expect error 6 'ratio'
model ErrorParameterDivision
  parameter Real zero = 0;
  parameter Real ratio = 1/zero;
  Real y = ratio*time;
  annotation(experiment(StopTime = 1));
end ErrorParameterDivision;
