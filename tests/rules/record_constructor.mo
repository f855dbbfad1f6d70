// rule: R(a, b), named arguments in any order, defaults of the members
// expect p.a(1) = 1
// expect p.b(1) = 2
// expect q.a(1) = 3
// expect q.b(1) = 9
record Pair
  Real a;
  Real b = 9;
end Pair;
model RecordConstructor
  Pair p = Pair(time, 2);
  Pair q = Pair(a = 3*time);
  annotation(experiment(StopTime = 1));
end RecordConstructor;
