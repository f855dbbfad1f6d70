// cause: branch_jump | impasse
// culprits: theta
// time: 10 +- 2e-2
// why: k theta = P L sin(theta): at P = k/L = 6, t = 10, two bent positions leave the straight one. The straight one is a
//     solution too, and nothing says which is taken.
model StrutUnderGrowingLoad "rigid bar with a torsion spring, in equilibrium at every instant"
  parameter Real k = 6, L = 1;
  Real P(start = 4, fixed = true), theta(start = 0), u(start = 0, fixed = true);
equation
  der(P) = 0.2;
  k*theta = P*L*sin(theta);
  der(u) = L*(1 - cos(theta));
  annotation(experiment(StopTime = 15));
end StrutUnderGrowingLoad;
