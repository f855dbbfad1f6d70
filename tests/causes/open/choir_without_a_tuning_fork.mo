// cause: undetermined_variable | redundant_equations
// culprits: bass, tenor, alto
// why: three intervals that close the circle fix the differences of the pitches, and nothing fixes their height.
model ChoirWithoutATuningFork
  Real bass, tenor, alto, warmth(start = 0, fixed = true);
equation
  tenor - bass = 7;
  alto - tenor = 5;
  bass - alto = -12;
  der(warmth) = 1 - warmth;
  annotation(experiment(StopTime = 3));
end ChoirWithoutATuningFork;
