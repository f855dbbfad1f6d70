// rule: 'any text' is one identifier; the result has it without the quotes
// expect a b+c(1) = 3
// expect end(1) = 6
// expect x.y[1](1) = 7
model QuotedIdentifiers
  Real 'a b+c', 'end', 'x.y[1]';
equation
  'a b+c' = 3*time;
  'end' = 2*'a b+c';
  'x.y[1]' = 'end' + 1;
  annotation(experiment(StopTime = 1));
end QuotedIdentifiers;
