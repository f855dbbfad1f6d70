// cause: branch_jump | impasse
// or: v(3) = -9.81 +- 1e-2; h(3) = 14.715 +- 2e-2
// culprits: v
// time: 2 +- 1e-2
// why: energy instead of momentum: v^2/2 + g h = g h0 + v0^2/2, v0 = 2 g. At the highest point, t = 2, v = 0 and the
//     equation says v^2 = 0: v = 0 for ever, and v = -g (t - 2), both solve it.
model SquareOfVelocity "vertical throw computed from the energy balance"
  parameter Real g = 9.81;
  Real h(start = 0, fixed = true), v(start = 19.62), Ekin, Epot, E0;
equation
  der(h) = v;
  Ekin = 0.5*v^2;
  Epot = g*h;
  E0 = 0.5*19.62^2;
  Ekin + Epot = E0;
  annotation(experiment(StopTime = 3));
end SquareOfVelocity;
