// rule: conditions of the start that follow from one another leave the least change, also where there are many
// expect x[1](0) = 1
// expect x[2](0) = 1
// expect x[400](0) = 1
// expect y[400](0) = 2
// expect x[3](0) = 0.5
model StartLargeSingular
  parameter Integer n = 400;
  Real x[n](each start = 1), y[n];
initial equation
  x[1] + x[2] = 2;
  2*x[1] + 2*x[2] = 4 "the same once more";
  x[3] = 0.5;
equation
  for i in 1:n loop
    der(x[i]) = -x[i];
    y[i]^3 + y[i] = 10*x[i];
  end for;
  annotation(experiment(StopTime = 0.1));
end StartLargeSingular;
