// rule: initial equations hold at the start only
// expect x(0) = 5
// expect x(1) = 6
model InitialEquation
  Real x, y;
initial equation
  x + y = 15;
equation
  der(x) = 1;
  y = 2*x;
  annotation(experiment(StopTime = 1));
end InitialEquation;
