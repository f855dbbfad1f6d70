// rule: equations whose derivatives occur in one combination only are solved (C019)
// The difference of the equations is y = time - cos(time); x is free at the start and is kept.
// expect y(0) = -1
// expect x(0) = 1.5
// expect y(1) = 1 - cos(1)
model MisleadingStructure
  Real x(start = 1.5, fixed = true), y;
equation
  der(x) + der(y) + x + y = cos(time);
  der(x) + der(y) + x + 2*y = time;
  annotation(experiment(StopTime = 1));
end MisleadingStructure;
