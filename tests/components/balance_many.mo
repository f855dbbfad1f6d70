// rule: a component with too many equations is named
// expect exit not 0
// expect error 'pipe has 3 equations for 2 unknowns'
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
  a.p = 7;
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
  connect(pipe.b, tank.a);
  annotation(experiment(StopTime = 1));
end System;
