// cause: chattering
// culprits: seeds, worms
// time: 2.5 +- 1e-2
// why: the bird eats where there is more: 10 - 1.5 t seeds meet 5 + 0.5 t worms at 2.5; from then on the
//     difference is pushed back to zero from both sides.
model BirdBetweenTwoFeeders
  Real seeds(start = 10, fixed = true), worms(start = 5, fixed = true), d;
equation
  d = seeds - worms;
  der(seeds) = if d > 0 then -1.5 else 0.5;
  der(worms) = if d > 0 then 0.5 else -1.5;
  annotation(experiment(StopTime = 6));
end BirdBetweenTwoFeeders;
