// cause: tolerance_too_small
// culprits: T, rtol, atol
// why: the relative tolerance is 0 and the absolute one 1e-15; numbers of size 1.5e7 are 1.9e-9 apart.
// run: --rtol 0 --atol 1e-15
model PlasmaToTheLastFemtokelvin "cooling of a plasma"
  parameter Real tau = 2;
  Real T(start = 1.5e7, fixed = true);
equation
  tau*der(T) = -(T - 1e7);
  annotation(experiment(StopTime = 3));
end PlasmaToTheLastFemtokelvin;
