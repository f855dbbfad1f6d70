// cause: blow_up
// culprits: told, heard
// time: 1.2 +- 0.4
// why: der(told) = heard^2, der(heard) = told^2 with equal starts 1 is der(x) = x^2, x = 1/(1 - t) with ends at 1.
model RumourOfRumours
  Real told(start = 1, fixed = true), heard(start = 1, fixed = true);
equation
  der(told) = heard^2;
  der(heard) = told^2;
  annotation(experiment(StopTime = 3));
end RumourOfRumours;
