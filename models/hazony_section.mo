// A circuit of two ports joined by a gyrator and a capacitor, loaded by a small conductance G, with
// parasitic conductances G1, G2, G3 and capacitances C1, C2.  If all of these vanish, as here, one
// state is left of three: set them by -p, as in -p C1=1e-3 -p C2=1e-3.
// reference: v2 = 1.135335283 at t = 2, tolerance 1e-5
// from: closed form (tests/golden/reference_values.py)
model HazonySection "a loaded Hazony section with a gyrator"
  parameter Real C = 2, g = 1 "gyration conductance", G = 0.5 "load";
  parameter Real C1 = 0, C2 = 0, G1 = 0, G2 = 0, G3 = 0 "parasitics";
  Real v1, v2 "voltages", i3 "current of the capacitor", u "source";
  Real vC "voltage of the capacitor";
initial equation
  vC = 0;
equation
  u = 1;
  vC = v1 - v2;
  C1*der(v1) + G1*v1 + g*v2 + i3 = u;
  C2*der(v2) - g*v1 + (G + G2)*v2 - i3 = 0;
  C*der(vC) + G3*vC - i3 = 0;
  annotation(experiment(StopTime = 5));
end HazonySection;
