// rule: der() of an array is elementwise
// x = {cos t, sin t}: der(x1) = -x2, der(x2) = x1
// expect x[1](1) = cos(1) +- 1e-4
// expect x[2](1) = sin(1) +- 1e-4
model DerOfArray
  Real x[2](start = {1, 0}, each fixed = true);
equation
  der(x) = [0, -1; 1, 0]*x;
  annotation(experiment(StopTime = 1));
end DerOfArray;
