// Alternating voltage, a diode with its exponential law, a smoothing capacitor and a load.
// No events: the diode is smooth, but very nonlinear.  Compare rectifier_ideal.
// reference: v = 8.38268130324 at t = 0.05, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model RectifierDiode "a rectifier with an exponential diode"
  constant Real pi = 3.141592653589793;
  parameter Real Rs(unit = "Ohm") = 10, R(unit = "Ohm") = 1e3, C(unit = "F") = 1e-4;
  parameter Real Is(unit = "A") = 1e-9, Vt(unit = "V") = 0.05;
  Real vs(unit = "V") "source", vd(unit = "V") "diode";
  Real v(unit = "V", start = 0, fixed = true) "load";
  Real i(unit = "A");
equation
  vs = 10*sin(2*pi*50*time);
  vs = Rs*i + vd + v;
  i = Is*(exp(vd/Vt) - 1);
  C*der(v) = i - v/R;
  annotation(experiment(StopTime = 0.1));
end RectifierDiode;
