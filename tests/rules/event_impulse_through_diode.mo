// rule: an ideal diode lets an impulse pass in its direction only: at t = 0.5 the source steps from 0 to 2 and
// charges the capacitor at once, at t = 1 it steps back to 0 and the diode blocks
// expect v(0.4) = 0
// expect v(0.5+) = 2
// expect v(1+) = 2
// expect v(2) = 2*exp(-0.5)
// expect off(0.7) = false
// expect off(1.5) = true
model EventImpulseThroughDiode
  Real u = if time >= 0.5 and time < 1 then 2 else 0;
  Real v(start = 0, fixed = true), i, s(start = -1);
  Boolean off;
equation
  2*der(v) = i - v;
  off = s < 0;
  u - v = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 2));
end EventImpulseThroughDiode;
