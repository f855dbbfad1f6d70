// cause: contradiction
// culprits: Te, frost, Q
// time: 4 +- 1e-4
// why: at full power the evaporator is 6 K below the air, with the defrosting power 1.8 K. At 6 degrees, t = 4, full power
//     gives frost, and the reduced power gives none.
model HeatPumpDefrostsItself "heat pump that reduces its power when its evaporator is below zero"
  parameter Real UA = 500, Qn = 3000;
  Real To, Te, Q, E(start = 0, fixed = true);
  Boolean frost;
equation
  To = 10 - time;
  Te = To - Q/UA;
  frost = Te < 0;
  Q = if frost then 0.3*Qn else Qn;
  der(E) = Q;
  annotation(experiment(StopTime = 7));
end HeatPumpDefrostsItself;
