// rule: parameters of the types Boolean, Integer and enumeration choose between expressions
// expect y(1) = 20
// expect z(1) = 3
type Kind = enumeration(small, large);
model ParameterEnumerationBoolean
  parameter Kind kind = Kind.large;
  parameter Boolean use = kind == Kind.large;
  parameter Integer n = if use then 3 else 4;
  Real y = if use then 20*time else 10*time;
  Real z = n*time;
  annotation(experiment(StopTime = 1));
end ParameterEnumerationBoolean;
