// rule: -p changes a parameter and all that depend on it
// run solve -p k=2
// expect y(1) = 6
// expect z(1) = 12
model ParameterOverride
  parameter Real k = 1;
  parameter Real m = 3*k;
  Real y = m*time;
  Real z = 2*m*time;
  annotation(experiment(StopTime = 1));
end ParameterOverride;
