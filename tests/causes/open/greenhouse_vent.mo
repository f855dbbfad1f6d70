// cause: contradiction
// culprits: T, open
// time: 0
// why: closed, the air has 25 degrees, so that the vent opens above 22; open, it has 18, so that it closes.
model GreenhouseVent
  Boolean open;
  Real T, plant(start = 1, fixed = true);
equation
  open = T > 22;
  T = if open then 18 else 25;
  der(plant) = 0.01*(T - 10)*plant;
  annotation(experiment(StopTime = 3));
end GreenhouseVent;
