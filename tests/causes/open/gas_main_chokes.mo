// cause: impasse
// culprits: p2
// time: 31.706396 +- 5e-2
// why: isothermal flow in a pipe with the term of acceleration; the flow as a function of the outlet pressure has a maximum at
//     p2 = 0.417, where G = p2 (the speed of sound). The demand rises through it at t = 31.7; there dp2/dt is infinite, and beyond
//     no p2 exists.
model GasMainChokes "outlet pressure of a gas main under rising demand, inlet pressure and R T are 1"
  parameter Real p1 = 1, K = 3;
  Real G, p2(start = 0.98), sold(start = 0, fixed = true);
equation
  G = 0.1 + 0.01*time;
  G^2*(2*log(p1/p2) + K) = p1^2 - p2^2;
  der(sold) = G;
  annotation(experiment(StopTime = 60));
end GasMainChokes;
