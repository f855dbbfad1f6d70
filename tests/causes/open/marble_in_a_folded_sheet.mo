// cause: event_accumulation | chattering
// culprits: x, v, right
// time: 3.5839147 +- 5e-3
// why: two inclined planes meet at x = 0; each passage of the fold costs 30 per cent of the speed, and the time between
//     passages is 2 v/a: geometric, with the sum sqrt(2 x0/a) (1 + 0.7)/(1 - 0.7) = 3.5839. (At rest in the fold the relation is
//     pushed from both sides.)
model MarbleInAFoldedSheet "valley of two planes"
  parameter Real a = 2, loss = 0.7;
  Real x(start = 0.4, fixed = true), v(start = 0, fixed = true);
  Boolean right;
equation
  right = x > 0;
  der(x) = v;
  der(v) = if right then -a else a;
  when change(right) then
    reinit(v, loss*pre(v));
  end when;
  annotation(experiment(StopTime = 6));
end MarbleInAFoldedSheet;
