// cause: event_iteration
// culprits: a, b, c
// time: 0.7 +- 1e-6
// why: three inverters in a ring: with the gate open a = not pre(c), b = not pre(a), c = not pre(b), and all values
//     equal themselves only if a = not a. Before t = 0.7 (false, true, false) is at rest.
model RingOscillator "three gates without delay; the first one is a NAND with an enable"
  Boolean enable, a(start = false, fixed = true), b(start = true, fixed = true), c(start = false, fixed = true);
  Real v(start = 0, fixed = true), u;
equation
  enable = time >= 0.7;
  a = enable and not pre(c);
  b = not pre(a);
  c = not pre(b);
  u = if c then 5 else 0;
  0.1*der(v) = u - v;
  annotation(experiment(StopTime = 1));
end RingOscillator;
