// rule: arrays of records, and a member of all of them as an array
// expect r[2].a(1) = 4
// expect r[2].b(1) = 8
// expect s(1) = 6
record Pair
  Real a, b;
end Pair;
model RecordArray
  Pair r[2];
  Real s = sum(r.a);
equation
  for i in 1:2 loop
    r[i].a = 2*i*time;
    r[i].b = i*r[i].a;
  end for;
  annotation(experiment(StopTime = 1));
end RecordArray;
