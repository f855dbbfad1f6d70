// A relaxation oscillator: slow drift along a branch, then a jump.  Try -p mu=1 -t 20.
// reference: x = 1.706167732170465 at t = 2000, tolerance 1e-3
// from: Test Set for IVP Solvers, recomputed with 20 digits
model VanDerPol "Van der Pol's oscillator, very stiff"
  parameter Real mu = 1000;
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = mu*(1 - x^2)*v - x;
  annotation(experiment(StopTime = 2000));
end VanDerPol;
