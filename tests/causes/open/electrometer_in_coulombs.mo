// cause: bad_scaling
// or: q(2) = 4.92812466e-15 +- 5e-17
// culprits: q
// why: the charge is some 1e-15 C and the absolute tolerance 1e-9 C, as q has no nominal: no error of q is ever seen.
model ElectrometerInCoulombs "current of an ionisation chamber into a leaky capacitor"
  parameter Real I0 = 1e-14, tau = 0.5;
  Real q(start = 0, fixed = true), i;
equation
  i = I0*(1 + sin(40*time));
  der(q) = i - q/tau;
  annotation(experiment(StopTime = 2));
end ElectrometerInCoulombs;
