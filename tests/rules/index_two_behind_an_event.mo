// rule: a mode of index 2 is entered also where the values before the event satisfy its equations
// run solve --method bdf --rtol 1e-3
// run solve --method bdf --rtol 1e-4
// run solve --method bdf --rtol 1e-6
// run solve --method radau --rtol 1e-4
// The current ends at 0.01338039 and begins again at 0.02.
// expect i(0.015) = 0 +- 1e-6
// expect vd(0.015) = -100 +- 1e-3
// expect i(0.024) = 3.37849 +- 2e-3
// expect i(0.1) = 0 +- 1e-3
model IndexTwoBehindAnEvent
  constant Real pi = 3.141592653589793;
  parameter Real R = 10, L = 0.05;
  Real vs, vd, i(start = 0, fixed = true), s;
  Boolean off(start = true);
equation
  vs = 100*sin(100*pi*time);
  vs = vd + R*i + L*der(i);
  off = s < 0;
  vd = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.1));
end IndexTwoBehindAnEvent;
