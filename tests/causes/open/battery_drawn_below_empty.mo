// cause: bounds
// culprits: soc
// time: 1500 +- 1
// why: 6 A from 0.5 of 5 A h empty it after 1500 s; min = 0 is declared, and nothing ends the current.
model BatteryDrawnBelowEmpty "battery of a drill"
  parameter Real Q(unit = "C") = 18000, R = 0.05;
  Real soc(start = 0.5, fixed = true, min = 0, max = 1), v, i;
equation
  i = 6;
  Q*der(soc) = -i;
  v = 3.2 + 0.8*soc - R*i;
  annotation(experiment(StopTime = 2400));
end BatteryDrawnBelowEmpty;
