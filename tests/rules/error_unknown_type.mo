// rule: an unknown type is named
// expect exit 3
// expect error 5:3 'Rael'
model ErrorUnknownType
  Rael x = 1;
  annotation(experiment(StopTime = 1));
end ErrorUnknownType;
