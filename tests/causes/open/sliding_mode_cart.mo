// cause: chattering
// culprits: s, u
// time: 0.4142136 +- 1e-2
// why: s = x + v, u = -2 sign(s): x = 1, v = 0 gives v = -2 t, x = 1 - t^2, s = 1 - 2 t - t^2 = 0 at t = sqrt(2) - 1;
//     there der(s) = v + u is negative above and positive below s = 0, since |v| < 2, so s stays at zero by
//     infinitely fast switching.
model SlidingModeCart "cart with a sliding-mode controller, sign() written as if"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), s, u, E;
equation
  der(x) = v;
  der(v) = u;
  s = x + v;
  u = if s > 0 then -2 else 2;
  E = 0.5*v^2;
  annotation(experiment(StopTime = 3));
end SlidingModeCart;
