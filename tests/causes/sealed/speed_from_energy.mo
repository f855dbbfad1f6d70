// cause: branch_jump | impasse
// or: v(5) = -2 +- 1e-3; x(5) = 2.5 +- 1e-2
// culprits: v, E
// time: 3 +- 1e-2
// why: m v^2/2 = E with E = m (3 - t)^2/2: v = 3 - t and v = t - 3 meet at t = 3, and the energy does not say which
//     of them it is from there on.
model SpeedFromEnergy "speed of a car computed from its kinetic energy; the car turns round"
  parameter Real m = 2;
  Real E, v(start = 3), x(start = 0, fixed = true), p;
equation
  E = 0.5*m*(3 - time)^2;
  0.5*m*v^2 = E;
  der(x) = v;
  p = m*v;
  annotation(experiment(StopTime = 5));
end SpeedFromEnergy;
