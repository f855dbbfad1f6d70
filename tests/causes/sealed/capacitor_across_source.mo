// cause: inconsistent_start
// culprits: v, vs, U
// time: 0
// why: an ideal source of 10 V holds the voltage of the capacitor, v = vs = 10 at all times, but v is fixed at 0;
//     start = 10 cures it.
model CapacitorAcrossSource "a discharged capacitor was soldered across an ideal source"
  parameter Real U = 10, C = 1e-4, R = 50;
  Real v(start = 0, fixed = true), vs, i, iC, iR, E(start = 0, fixed = true);
equation
  vs = U;
  v = vs;
  iR = v/R;
  C*der(v) = iC;
  i = iC + iR;
  der(E) = vs*i;
  annotation(experiment(StopTime = 0.1));
end CapacitorAcrossSource;
