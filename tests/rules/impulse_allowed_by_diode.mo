// rule: a mode in which states must jump is taken if the impulse has the sign its relation asks for
// expect u1(2) = 2
// expect u2(2) = 2
// expect w1(2) = 1
// expect w2(2) = 4
// expect off(2) = false
model ImpulseAllowedByDiode
  parameter Real C1 = 2, C2 = 3;
  Real u1(start = 5, fixed = true), u2(start = 0, fixed = true), i, s; // the diode conducts
  Real w1(start = 1, fixed = true), w2(start = 4, fixed = true), j, r; // the diode blocks
  Boolean on(start = false), off(start = false), closed = time >= 1;
equation
  C1*der(u1) = -i;
  C2*der(u2) = i;
  on = closed and s > 0;
  u1 - u2 = if on then 0 else s;
  i = if on then s else 0;
  C1*der(w1) = -j;
  C2*der(w2) = j;
  off = closed and r > 0;
  w1 - w2 = if off then 0 else r;
  j = if off then r else 0;
  annotation(experiment(StopTime = 2));
end ImpulseAllowedByDiode;
