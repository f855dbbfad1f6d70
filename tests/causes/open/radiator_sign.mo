// cause: no_solution
// culprits: Ts
// time: 0
// why: the heat to be radiated is negative at the start (the sign of qSun was mixed up), eps*sigma*A*Ts^4 = 50 -
//     326.64 + 110 = -166.64 W has no real solution.
model RadiatorSign "satellite panel in equilibrium with its radiation"
  parameter Real sigma = 5.670374e-8, A = 0.8, eps = 0.9, qSun = 1361, alpha = 0.3, Pel = 50;
  Real Ts(start = 290), Tbox(start = 300, fixed = true), qIn, qRad;
equation
  qIn = Pel - alpha*qSun*A + 2*(Tbox - 245);
  qRad = eps*sigma*A*Ts^4;
  qRad = qIn;
  900*der(Tbox) = Pel - 2*(Tbox - 245);
  annotation(experiment(StopTime = 3600));
end RadiatorSign;
