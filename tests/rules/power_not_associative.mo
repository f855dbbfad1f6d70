// rule: a^b^c is not allowed
// expect exit 3
// expect error 7
model PowerNotAssociative
  Real y;
equation
  y = 2^3^2;
  annotation(experiment(StopTime = 1));
end PowerNotAssociative;
