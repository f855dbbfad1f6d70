// rule: parameters may be records; -p reaches a member
// run solve -p c.k=5
// expect y(1) = 16
record Coefficients
  Real k = 2, d = 3;
end Coefficients;
model RecordParameter
  parameter Coefficients c(d = 11);
  Real y = (c.k + c.d)*time;
  annotation(experiment(StopTime = 1));
end RecordParameter;
