// rule: a redundant start condition that agrees with the others is accepted
// expect level(0) = 2
// expect warning 'level fixed at 2 follows from the other conditions of the start'
model InitialRedundant
  Real level(start = 2, fixed = true), twice;
initial equation
  twice = 4;
equation
  der(level) = 1;
  twice = 2*level;
  annotation(experiment(StopTime = 1));
end InitialRedundant;
