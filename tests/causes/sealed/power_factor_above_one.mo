// cause: no_solution
// culprits: phi
// time: 0
// why: cos(phi) would have to be 1100/(230*4) = 1.196; neither a start value nor a later time changes that.
model PowerFactorAboveOne "the phase angle from measured voltage, current and power; the current was read off wrongly"
  parameter Real U = 230, I = 4, P = 1100;
  Real phi(start = 0.3), Q, S, energy(start = 0, fixed = true), Tw(start = 20, fixed = true);
equation
  S = U*I;
  S*cos(phi) = P;
  Q = S*sin(phi);
  der(energy) = P;
  60*der(Tw) = 0.02*I^2 - (Tw - 20);
  annotation(experiment(StopTime = 100));
end PowerFactorAboveOne;
