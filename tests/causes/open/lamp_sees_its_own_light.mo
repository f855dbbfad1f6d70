// cause: chattering
// culprits: L, dark
// time: 0.693147 +- 1e-3
// why: the twilight switch faces its own lamp: below 0.5 the lamp gets brighter, above darker. L = 1 - exp(-t) arrives at
//     ln 2.
model LampSeesItsOwnLight "twilight switch with a slow lamp"
  parameter Real tau = 1, threshold = 0.5;
  Real L(start = 0, fixed = true), E(start = 0, fixed = true);
  Boolean dark;
equation
  dark = L < threshold;
  tau*der(L) = (if dark then 1 else 0) - L;
  der(E) = if dark then 60 else 0;
  annotation(experiment(StopTime = 3));
end LampSeesItsOwnLight;
