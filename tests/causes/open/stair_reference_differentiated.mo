// cause: discontinuity
// culprits: ref, dref
// time: 0.25 +- 1e-6
// why: the reference is a staircase, ref = 0.1 floor(4 t), and the controller uses its derivative, which is an impulse at each
//     step; the first one is at t = 0.25.
model StairReferenceDifferentiated "positioning drive with speed feed-forward"
  parameter Real Kp = 40, Kd = 6;
  Real ref, dref, x(start = 0, fixed = true), v(start = 0, fixed = true), u;
equation
  ref = 0.1*floor(4*time);
  dref = der(ref);
  u = Kp*(ref - x) + Kd*(dref - v);
  der(x) = v;
  der(v) = u;
  annotation(experiment(StopTime = 2));
end StairReferenceDifferentiated;
