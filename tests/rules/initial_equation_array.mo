// rule: initial equations may be loops and arrays
// expect x[1](0) = 1
// expect x[3](0) = 9
// expect y[2](0) = 5
model InitialEquationArray
  Real x[3], y[2];
initial equation
  for i in 1:3 loop
    x[i] = i^2;
  end for;
  y = {4, 5};
equation
  der(x) = zeros(3);
  der(y) = {1, 1};
  annotation(experiment(StopTime = 1));
end InitialEquationArray;
