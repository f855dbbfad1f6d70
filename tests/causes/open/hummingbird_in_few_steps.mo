// cause: too_much_work
// culprits: max_steps
// run: -n 1 --max_steps 300
// why: 8 000 strokes of a wing in at most 300 steps.
model HummingbirdInFewSteps
  Real a(start = 1, fixed = true), b(start = 0, fixed = true);
equation
  der(a) = 500*b;
  der(b) = -500*a/(1 + 0.1*a^2);
  annotation(experiment(StopTime = 100));
end HummingbirdInFewSteps;
