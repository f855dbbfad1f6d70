// rule: a parameter cannot depend on a variable
// expect exit 3
// expect error 6 'gain'
model ErrorParameterOfVariable
  Real level = time;
  parameter Real gain = 2*level;
  Real y = gain;
  annotation(experiment(StopTime = 1));
end ErrorParameterOfVariable;
