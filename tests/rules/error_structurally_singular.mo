// rule: as many equations as unknowns, but one unknown is in no equation
// expect exit 4
// expect error 'pressure'
model ErrorStructurallySingular
  Real level, pressure;
equation
  level = 1 + time;
  2*level = 2 + time;
  annotation(experiment(StopTime = 1));
end ErrorStructurallySingular;
