// cause: event_iteration
// culprits: q, qn
// time: 1 +- 1e-3
// why: set and reset of a latch of two NOR gates are both on, so that both outputs are false; at t = 1 both are released in the
//     same instant. Each gate sees the other output false and becomes true, then both see true and become false, and so on without
//     end.
model LatchReleasedOnBothSides "flip-flop of two gates, each reads the last value of the other"
  Boolean s, r, q(start = false, fixed = true), qn(start = false, fixed = true);
  Real lamp(start = 0, fixed = true);
equation
  s = time < 1;
  r = time < 1;
  q = not (r or pre(qn));
  qn = not (s or pre(q));
  der(lamp) = (if q then 5 else 0) - lamp;
  annotation(experiment(StopTime = 3));
end LatchReleasedOnBothSides;
