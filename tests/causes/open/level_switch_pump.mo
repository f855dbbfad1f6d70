// cause: chattering
// culprits: h, pump
// time: 2 +- 1e-2
// why: the tank drains by 0.2 and the pump fills by 0.5: der(h) is -0.2 above 0.6 and +0.3 below it; h = 1 - 0.2 t
//     reaches 0.6 at t = 2.
model LevelSwitchPump "two tanks, the pump of the first is switched by its level"
  parameter Real hMin = 0.6, qp = 0.5, qd = 0.2;
  Real h(start = 1, fixed = true), h2(start = 0, fixed = true), qIn, q2, V;
  Boolean pump;
equation
  pump = h < hMin;
  qIn = if pump then qp else 0;
  der(h) = qIn - qd;
  q2 = 0.1*h2;
  der(h2) = qd - q2;
  V = h + h2;
  annotation(experiment(StopTime = 4));
end LevelSwitchPump;
