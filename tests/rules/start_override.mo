// rule: -y fixes a start value
// run solve -y x=4
// expect x(0) = 4
// expect x(1) = 5
model StartOverride
  Real x(start = 1);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end StartOverride;
