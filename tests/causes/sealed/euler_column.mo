// cause: branch_jump | impasse
// or: a(3) = 0 +- 1e-3
// culprits: a
// time: 1 +- 1e-2
// why: (P - Pc) a = b a^3 with P = 0.5 + 0.5 t: at P = Pc = 1 the branches a = sqrt((P - Pc)/b) and a =
//     -sqrt((P - Pc)/b) leave the straight column a = 0, and a is not determined there to first order.
model EulerColumn "perfectly straight column under a growing load"
  parameter Real Pc = 1, b = 0.25;
  Real P, a(start = 0), bending, energy(start = 0, fixed = true);
equation
  P = 0.5 + 0.5*time;
  (P - Pc)*a - b*a^3 = 0;
  bending = 3*a;
  der(energy) = P - 0.1*energy + a^2;
  annotation(experiment(StopTime = 3));
end EulerColumn;
