// rule: several independent errors of one text are all reported
// expect exit 3
// expect error 8:7 'alpha'
// expect error 9:7 'beta'
model ErrorTwoPlaces
  Real x, y;
equation
  x = alpha;
  y = beta;
  annotation(experiment(StopTime = 1));
end ErrorTwoPlaces;
