// rule: behind a pole no path leads, another starting point does
// expect x(0) = -2
// expect warning 'one farther away was found from another starting point'
model StartFromOtherPoint
  Real x(start = 3), y(start = -0.5, fixed = true);
equation
  der(x) = -x;
  y = 1/x;
  annotation(experiment(StopTime = 0.1));
end StartFromOtherPoint;
