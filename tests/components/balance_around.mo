// rule: a free pin is balanced, while the model around it has too many equations
// expect exit not 0
// expect error 'System has 5 equations for 4 unknowns'
connector Port
  Real p;
  flow Real q;
end Port;
model Pump
  Port a;
equation
  a.q = -1;
end Pump;
model Pipe
  Port a, b;
equation
  a.q + b.q = 0;
  a.p - b.p = 2*a.q;
end Pipe;
model Tank
  Port a;
  Real level(start = 0, fixed = true);
equation
  der(level) = a.q;
  a.p = level;
end Tank;
model System
  Pump pump;
  Pipe pipe;
  Tank tank;
equation
  connect(pump.a, pipe.a);
  pipe.b.p = pump.a.p;
  annotation(experiment(StopTime = 1));
end System;
