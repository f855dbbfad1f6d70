// rule: equations are repeated for each value of a constant range
// a discretised chain: x[i] = i + x[i - 1]
// expect x[4](1) = 10
// expect y[3](1) = 1
model ForEquation
  parameter Integer n = 4;
  Real x[n], y[3];
equation
  x[1] = time;
  for i in 2:n loop
    x[i] = i + x[i - 1];
  end for;
  for k in {3, 2, 1} loop
    y[k] = 4 - k;
  end for;
  annotation(experiment(StopTime = 1));
end ForEquation;
