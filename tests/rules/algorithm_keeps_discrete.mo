// rule: a discrete variable that an algorithm does not assign starts from its previous value
// expect n(0.25) = 3
// expect n(0.75) = 4
// expect n(1.5) = 4
model AlgorithmKeepsDiscrete
  Integer n(start = 3, fixed = true);
algorithm
  if time >= 0.5 and time < 1 then
    n := 4;
  end if;
  annotation(experiment(StopTime = 2));
end AlgorithmKeepsDiscrete;
