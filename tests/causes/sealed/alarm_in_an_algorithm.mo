// cause: assertion
// culprits: level, flooded
// time: 3.4657359 +- 2e-2
// why: level = 4 (1 - exp(-t/5)) exceeds 2 at 5 ln 2.
model AlarmInAnAlgorithm "a check among the statements of a controller"
  Real level(start = 0, fixed = true), valve, q;
algorithm
  valve := 1;
  if level > 1 then
    valve := 0.5;
    assert(level < 2, "the cellar is flooded");
  end if;
equation
  q = 0.8 - 0.2*level;
  der(level) = q;
  annotation(experiment(StopTime = 10));
end AlarmInAnAlgorithm;
