// rule: a Boolean parameter that is not fixed takes what an initial equation finds from the unknowns
// expect y(0) = 0.8
model InitialBranchParameter
  parameter Boolean up(fixed = false);
  Real x(start = 0.6, fixed = true), side, y;
initial equation
  up = side > 0;
equation
  der(x) = 0;
  side = x - 0.5;
  y = if up then sqrt(1 - x^2) else -sqrt(1 - x^2);
  annotation(experiment(StopTime = 1));
end InitialBranchParameter;
