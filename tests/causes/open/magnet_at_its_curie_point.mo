// cause: branch_jump | impasse
// or: m(2) = 0 +- 1e-3
// culprits: m
// time: 1 +- 5e-3
// why: m^3 = (Tc - T) m with T = t, Tc = 1: the magnetisation sqrt(1 - t) meets the branches 0 and -sqrt(1 - t) at t = 1 and its slope
//     is infinite there. Beyond it only m = 0 is left, so that a run that arrives there is right, too.
model MagnetAtItsCuriePoint "Landau's model, heated slowly"
  parameter Real Tc = 1;
  Real T, m(start = 1), a, q(start = 0, fixed = true);
equation
  T = time;
  a = Tc - T;
  m^3 - a*m = 0;
  der(q) = m;
  annotation(experiment(StopTime = 2));
end MagnetAtItsCuriePoint;
