// rule: a slice may stand on the left of an equation
// expect x[1](1) = 1
// expect x[3](1) = 6
model SliceAssigned
  Real x[3];
equation
  x[2:3] = {5, 6};
  x[1] = time;
  annotation(experiment(StopTime = 1));
end SliceAssigned;
