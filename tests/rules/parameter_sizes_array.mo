// rule: an array's size may come from a parameter that is declared later
// expect s(1) = 10
model ParameterSizesArray
  Real x[n] = {i*time for i in 1:n};
  Real s = sum(x);
  parameter Integer n = m + 1;
  constant Integer m = 3;
  annotation(experiment(StopTime = 1));
end ParameterSizesArray;
