// cause: none
// expect: y(3) = 0.2523082347 +- 1e-5; x(3) = 1.539300907 +- 1e-5
// why: y + exp(y) = x, der(x) = -y means (1 + exp(y)) der(y) = -y; integrated with 30 digits by a Taylor method.
model HealthySweetsByTheSlice
  Real x(start = 3, fixed = true), y(start = 0);
equation
  der(x) = -y;
  y + exp(y) = x;
  annotation(experiment(StopTime = 3));
end HealthySweetsByTheSlice;
