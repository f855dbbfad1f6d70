// cause: undetermined_variable | redundant_equations
// culprits: p1, p2, p3
// why: three pressures in a closed loop without an expansion vessel: only differences of pressures occur, and p3 - p1
//     follows from the others by the pump's equation.
model ClosedHeatingLoop "boiler, radiator and pump in a ring; incompressible water"
  parameter Real kBoiler = 2, kRadiator = 5, C = 4e4, kA = 300;
  Real p1, p2, p3, q(start = 1), dpPump, Tw(start = 60, fixed = true), Q;
equation
  p1 - p2 = kBoiler*q;
  p2 - p3 = kRadiator*q;
  p1 - p3 = dpPump;
  dpPump = 10 - 3*q;
  Q = kA*(Tw - 20);
  C*der(Tw) = 12000 - Q;
  dpPump - kBoiler*q - kRadiator*q = 0;
  annotation(experiment(StopTime = 600));
end ClosedHeatingLoop;
