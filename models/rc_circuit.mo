// A capacitor is charged through a resistor.  The first circuit: voltages add up, currents are
// equal, and each part has its law.
// reference: vC = 8.64664716763 at t = 0.002, tolerance 1e-5
// from: closed form
model RCCircuit "a capacitor charged through a resistor"
  parameter Real V(unit = "V") = 10, R(unit = "Ohm") = 1e3, C(unit = "F") = 1e-6;
  Real vR(unit = "V"), vC(unit = "V", start = 0, fixed = true), i(unit = "A");
equation
  vR + vC = V;
  vR = R*i;
  C*der(vC) = i;
  annotation(experiment(StopTime = 5e-3));
end RCCircuit;
