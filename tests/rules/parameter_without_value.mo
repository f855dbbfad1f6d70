// rule: a parameter without a value takes its start value, with a warning that names it
// expect warning 'gain'
// expect y(1) = 3
model ParameterWithoutValue
  parameter Real gain(start = 3);
  Real y = gain*time;
  annotation(experiment(StopTime = 1));
end ParameterWithoutValue;
