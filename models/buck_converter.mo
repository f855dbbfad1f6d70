// 12 V are chopped 50 000 times a second and smoothed to about 6 V.  Each switching is an event:
// a clock by sample, and the end of the pulse by comparing time.
// reference: v = 7.9653948738 at t = 0.001, tolerance 1e-4
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model BuckConverter "a switching power supply"
  parameter Real V(unit = "V") = 12, R(unit = "Ohm") = 5;
  parameter Real L(unit = "H") = 1e-4, C(unit = "F") = 1e-4;
  parameter Real period(unit = "s") = 2e-5, duty = 0.5;
  Real i(unit = "A", start = 0, fixed = true), v(unit = "V", start = 0, fixed = true);
  discrete Real tOff(unit = "s", start = 0, fixed = true);
  Boolean on;
equation
  when sample(0, period) then
    tOff = time + duty*period;
  end when;
  on = time < tOff;
  L*der(i) = (if on then V else 0) - v;
  C*der(v) = i - v/R;
  annotation(experiment(StopTime = 2e-3));
end BuckConverter;
