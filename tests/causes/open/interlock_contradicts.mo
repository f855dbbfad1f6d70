// cause: contradiction | event_iteration
// culprits: valve, pump
// time: 0.8 +- 1e-6
// why: from t = 0.8 on: pump = valve, valve = not pump; no values fit.
model InterlockContradicts "two interlocks, each waits for the other"
  Boolean enable, valve, pump;
  Real level(start = 0, fixed = true), q;
equation
  enable = time >= 0.8;
  pump = valve and enable;
  valve = not pump;
  q = if pump then 2 else 0.5;
  der(level) = q - 0.1*level;
  annotation(experiment(StopTime = 2));
end InterlockContradicts;
