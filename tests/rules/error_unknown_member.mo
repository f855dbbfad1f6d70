// rule: an unknown member of a record is named
// expect exit 3
// expect error 9 'weight'
record Body
  Real mass, height;
end Body;
model ErrorUnknownMember
  Body b = Body(1, 2);
  Real y = b.weight;
  annotation(experiment(StopTime = 1));
end ErrorUnknownMember;
