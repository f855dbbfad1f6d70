// cause: bounds
// culprits: moisture
// time: 4 +- 1e-2
// why: 0.4 - 0.1 t leaves the bound min = 0 at t = 4.
model FieldDriesBelowNothing
  Real moisture(start = 0.4, fixed = true, min = 0), heat;
equation
  der(moisture) = -0.1;
  heat = 20 - 10*moisture;
  annotation(experiment(StopTime = 6));
end FieldDriesBelowNothing;
