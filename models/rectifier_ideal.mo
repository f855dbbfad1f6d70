// The same rectifier with an ideal diode: it conducts without loss, or not at all.  Its state is
// described by one curve parameter s, and each switching is an event, located exactly.
// reference: v = 9.19719091305 at t = 0.05, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model RectifierIdeal "a rectifier with an ideal diode that switches"
  constant Real pi = 3.141592653589793;
  parameter Real Rs(unit = "Ohm") = 10, R(unit = "Ohm") = 1e3, C(unit = "F") = 1e-4;
  Real vs(unit = "V"), vd(unit = "V"), i(unit = "A"), s;
  Real v(unit = "V", start = 0, fixed = true);
  Boolean off(start = false);
equation
  vs = 10*sin(2*pi*50*time);
  vs = Rs*i + vd + v;
  off = s < 0;
  vd = if off then s else 0;
  i = if off then 0 else s;
  C*der(v) = i - v/R;
  annotation(experiment(StopTime = 0.1));
end RectifierIdeal;
