// rule: a constraint that holds at the start values and depends on nothing there does not disturb
// the others; of the two solutions (0, 2) and (2, 1) the nearer one is found
// expect x(0) = 0
// expect y(0) = 2
model StartFlatRow
  Real x(start = 0), y(start = 1), a, b;
equation
  der(x) = a;
  der(y) = b;
  x*(y - 1) = 0.1*time;
  x + 2*y = 4;
  annotation(experiment(StopTime = 0.1));
end StartFlatRow;
