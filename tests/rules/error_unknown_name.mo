// rule: an unknown name is named, with the nearest one that is known
// expect exit 3
// expect error 10:9 'presure'
// expect error 10:9 'did you mean'
// expect error 10:9 'pressure'
model ErrorUnknownName
  Real pressure, y;
equation
  pressure = time;
  y = 2*presure;
  annotation(experiment(StopTime = 1));
end ErrorUnknownName;
