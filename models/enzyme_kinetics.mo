// An enzyme binds a substrate and lets a product go.  Two conservation laws replace two of the
// four rate equations; the first milliseconds are a boundary layer.
// reference: p = 0.0487834478065 at t = 10, tolerance 1e-4
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model EnzymeKinetics "an enzyme at work: Michaelis and Menten in full"
  parameter Real k1 = 1e3, k2 = 1, k3 = 0.5, e0 = 0.01, s0 = 0.1;
  Real s(start = s0, fixed = true) "substrate", c(start = 0, fixed = true) "complex";
  Real e "free enzyme", p "product";
equation
  der(s) = -k1*e*s + k2*c;
  der(c) = k1*e*s - (k2 + k3)*c;
  e + c = e0;
  s + c + p = s0;
  annotation(experiment(StopTime = 50));
end EnzymeKinetics;
