// rule: der() of a parameter is 0, der(time) is 1
// expect y(1) = 2
model DerOfParameter
  parameter Real k = 4;
  Real y = der(k) + 2*der(time);
  annotation(experiment(StopTime = 1));
end DerOfParameter;
