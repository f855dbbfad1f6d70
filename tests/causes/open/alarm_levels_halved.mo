// cause: event_accumulation
// culprits: h, level
// time: 10 +- 1e-2
// why: the level of the next alarm is half of the last one, and h falls to 0 at t = 10: infinitely many alarms before.
model AlarmLevelsHalved "a tank in litres; each alarm sets the next one to half of its level"
  Real h(start = 1000, fixed = true);
  discrete Real level(start = 500, fixed = true);
  Integer alarms(start = 0, fixed = true);
equation
  der(h) = -100;
  when h <= pre(level) then
    level = 0.5*pre(level);
    alarms = pre(alarms) + 1;
  end when;
  annotation(experiment(StopTime = 12));
end AlarmLevelsHalved;
