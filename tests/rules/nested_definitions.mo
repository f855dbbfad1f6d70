// rule: functions, records and types may be defined inside the model
// expect y(1) = 6
model NestedDefinitions
  type Length = Real(unit = "m");
  record Pair
    Length a, b;
  end Pair;
  function add
    input Pair p;
    output Length s = p.a + p.b;
  algorithm
  end add;
  Pair p = Pair(2*time, 4);
  Length y = add(p);
  annotation(experiment(StopTime = 1));
end NestedDefinitions;
