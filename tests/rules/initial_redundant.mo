// rule: a redundant start condition that agrees with the others is accepted
// expect level(0) = 2
model InitialRedundant
  Real level(start = 2, fixed = true), twice;
initial equation
  twice = 4;
equation
  der(level) = 1;
  twice = 2*level;
  annotation(experiment(StopTime = 1));
end InitialRedundant;
