// cause: none
// expect: n(2) = 8 +- 0.1; x(2) = 2.8 +- 1e-5
// why: the relays pull in one after the other, at one instant, t = 1.2: ten passes of the event iteration and then
//     rest. From there der(x) = 2: x = 1.2 + 1.6.
model HealthyRelayChain
  Boolean a, b, c, d, e, f, g, h;
  Integer n;
  Real x(start = 0, fixed = true);
equation
  a = time >= 1.2;
  b = pre(a);
  c = pre(b);
  d = pre(c);
  e = pre(d);
  f = pre(e);
  g = pre(f);
  h = pre(g);
  n = (if a then 1 else 0) + (if b then 1 else 0) + (if c then 1 else 0) + (if d then 1 else 0) + (if e then 1 else 0) + (if f then 1 else 0) + (if g then 1 else 0) + (if h then 1 else 0);
  der(x) = if h then 2 else 1;
  annotation(experiment(StopTime = 2));
end HealthyRelayChain;
