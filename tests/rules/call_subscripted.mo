// rule: (f(x))[2]: a subscript behind parentheses
// expect y(1) = 20
// expect z(1) = 3
function three
  input Real x;
  output Real y[3];
algorithm
  y := {10, 20, 30}*x;
end three;
model CallSubscripted
  Real y = (three(time))[2];
  Real z = ({{1, 2}, {3, 4}})[2, 1];
  annotation(experiment(StopTime = 1));
end CallSubscripted;
