// Coil, capacitor and resistor in series, switched on: a damped oscillation.
// reference: vC = 5.40229136201 at t = 0.0005, tolerance 1e-4
// from: closed form
model RLCCircuit "a series resonant circuit switched on"
  parameter Real V(unit = "V") = 5, R(unit = "Ohm") = 10;
  parameter Real L(unit = "H") = 1e-3, C(unit = "F") = 1e-6;
  Real i(unit = "A", start = 0, fixed = true);
  Real vR(unit = "V"), vL(unit = "V"), vC(unit = "V", start = 0, fixed = true);
equation
  vR + vL + vC = V;
  vR = R*i;
  vL = L*der(i);
  i = C*der(vC);
  annotation(experiment(StopTime = 1e-3));
end RLCCircuit;
