// cause: none
// expect: y(2) = 13.414293 +- 1e-2
// why: y = (exp(3 t) - 1)/30 begins at zero, is fed by 0.1, and grows by itself later.
model HealthySeedWithSource "growth from zero that is fed from outside"
  Real y(start = 0, fixed = true), z(start = 1, fixed = true);
equation
  der(y) = 3*y + 0.1;
  der(z) = -z;
  annotation(experiment(StopTime = 2));
end HealthySeedWithSource;
