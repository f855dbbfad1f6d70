// rule: parameters are computed in the order of their dependence, not of the text
// expect y(1) = 14
model ParameterOrder
  parameter Real c = a + b "forward references";
  parameter Real b = 3*a;
  parameter Real a = 3.5;
  Real y = c*time;
  annotation(experiment(StopTime = 1));
end ParameterOrder;
