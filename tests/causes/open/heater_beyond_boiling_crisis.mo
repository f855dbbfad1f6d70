// cause: impasse
// culprits: dT
// time: 98.268227 +- 0.1
// why: the boiling curve dT^2 exp(-dT/10) has its maximum 54.13 at dT = 20; the heat flux rises through it at t = 98.27, where
//     d(dT)/dt is infinite. Larger fluxes have no wall temperature.
model HeaterBeyondBoilingCrisis "wall superheat for a given heat flux"
  Real q, dT(start = 2.5), energy(start = 0, fixed = true);
equation
  q = 5 + 0.5*time;
  dT^2*exp(-dT/10) = q;
  der(energy) = q;
  annotation(experiment(StopTime = 150));
end HeaterBeyondBoilingCrisis;
