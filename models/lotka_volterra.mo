// Prey multiply and are eaten, predators eat and die: both go up and down for ever.
// reference: prey = 4.17017910183 at t = 40, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model LotkaVolterra "predators and prey"
  parameter Real birth = 1.1, hunt = 0.4, growth = 0.1, death = 0.4;
  Real prey(start = 10, fixed = true), predators(start = 10, fixed = true);
equation
  der(prey) = prey*(birth - hunt*predators);
  der(predators) = predators*(growth*prey - death);
  annotation(experiment(StopTime = 70));
end LotkaVolterra;
