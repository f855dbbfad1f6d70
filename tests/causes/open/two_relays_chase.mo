// cause: event_iteration
// culprits: a, b
// time: 1 +- 1e-6
// why: from t = 1 on a = not pre(b), b = pre(a): (0,0), (1,0), (1,1), (0,1), (0,0), a cycle of four.
model TwoRelaysChase "two relays with contacts of each other in their coils"
  Boolean a(start = false, fixed = true), b(start = false, fixed = true), on;
  Real i(start = 0, fixed = true), u;
equation
  on = time >= 1;
  a = on and not pre(b);
  b = on and pre(a);
  u = if a and b then 24 else 12;
  0.1*der(i) = u - 10*i;
  annotation(experiment(StopTime = 2));
end TwoRelaysChase;
