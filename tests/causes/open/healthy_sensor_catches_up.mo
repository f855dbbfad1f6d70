// cause: none
// expect: y(2) = -0.4161468365 +- 1e-5; x(2) = 0.9092994268 +- 1e-5
// why: y = cos(t) + 2 exp(-1e6 t), x = sin(t) + 2e-6 (1 - exp(-1e6 t)).
model HealthySensorCatchesUp "fast first-order lag that begins far from its input"
  parameter Real a = 1e6;
  Real y(start = 3, fixed = true), x(start = 0, fixed = true), lag;
equation
  lag = y - cos(time);
  der(y) = -a*lag - sin(time);
  der(x) = y;
  annotation(experiment(StopTime = 2));
end HealthySensorCatchesUp;
