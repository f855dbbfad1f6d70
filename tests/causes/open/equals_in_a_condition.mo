// cause: text
// culprits: mode, ==
// why: a comparison is written with '==', not with '='.
model EqualsInACondition "pump with three modes"
  parameter Integer mode = 2;
  Real level(start = 1, fixed = true), q;
equation
  q = if mode = 1 then 0.1 elseif mode = 2 then 0.2 else 0;
  der(level) = q - 0.3*level;
  annotation(experiment(StopTime = 10));
end EqualsInACondition;
