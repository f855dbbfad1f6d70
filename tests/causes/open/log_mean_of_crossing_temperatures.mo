// cause: domain_error
// culprits: d2, LMTD, Th, Tc
// time: 46.93568 +- 5e-2
// why: the hot end falls, 20 + 60 exp(-0.02 t), and the cold end rises, 20 + 0.5 t: at 46.94 the difference d2 is zero and then
//     negative, and so is the argument of the logarithm.
model LogMeanOfCrossingTemperatures "heat exchanger by its logarithmic mean difference"
  parameter Real UA = 150;
  Real Th(start = 80, fixed = true), Tc(start = 20, fixed = true), d1, d2, LMTD, Q, E(start = 0, fixed = true);
equation
  der(Th) = -0.02*(Th - 20);
  der(Tc) = 0.5;
  d1 = 90 - Tc;
  d2 = Th - Tc;
  LMTD = (d1 - d2)/log(d1/d2);
  Q = UA*LMTD;
  der(E) = Q;
  annotation(experiment(StopTime = 80));
end LogMeanOfCrossingTemperatures;
