// A loop of a resistor, a coil and a capacitor whose characteristics are curves: each element has a
// parameter tau, and neither its voltage nor its current determines the other.  The current
// 2*sin(tau2) of the coil must be one of the resistor, sin(tau1)^3, which is 1 at most: there the
// solution ends, at t = 0.3121.
// reference: tau2 = 0.5088733115 at t = 0.3, tolerance 1e-5
// reference: tau1 = 1.702127332 at t = 0.3, tolerance 1e-5
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model UnicursalCircuit "a circuit of elements with unicursal characteristics"
  Real tau1(start = 2.1457) "resistor", tau2(start = 0.3, fixed = true) "coil";
  Real tau3(start = 0.5, fixed = true) "capacitor";
  Real v "voltage of the resistor", i "current of the loop", q "charge";
equation
  sin(tau2)*der(tau2) = cos(tau1)^3 - cos(tau3) + 1;
  (1 - cos(tau3))*der(tau3) = 2*sin(tau2);
  0 = sin(tau1)^3 - 2*sin(tau2);
  v = cos(tau1)^3;
  i = sin(tau1)^3;
  q = tau3 - sin(tau3);
  annotation(experiment(StopTime = 0.3));
end UnicursalCircuit;
