// rule: a discrete equation may have its variable on the right
// expect n(1) = 3
// expect b(1) = true
model DiscreteRightSide
  Integer n;
  Boolean b;
equation
  3 = n;
  (time > 0.5) = b;
  annotation(experiment(StopTime = 1));
end DiscreteRightSide;
