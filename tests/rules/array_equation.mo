// rule: an equation between arrays is one equation for each element
// x + y = {5, 7}, x - y = {1, 3}
// expect x[1](1) = 3
// expect x[2](1) = 5
// expect y[2](1) = 2
model ArrayEquation
  Real x[2], y[2];
equation
  x + y = {5, 7*time};
  x - y = {time, 3};
  annotation(experiment(StopTime = 1));
end ArrayEquation;
