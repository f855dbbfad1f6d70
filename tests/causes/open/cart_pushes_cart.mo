// cause: event_accumulation
// culprits: v1, v2, x1, x2, gap
// time: 2.8284271 +- 5e-3
// why: a cart is pushed against a free one with restitution 0.6: their relative motion is that of a bouncing ball with the
//     acceleration F/m1 = 2 and the height 0.5, which comes to rest after sqrt(0.5) (1 + e)/(1 - e) = 2.8284 s and infinitely many
//     impacts.
model CartPushesCart "impacts with restitution, momentum is kept"
  parameter Real m1 = 2, m2 = 1, F = 4, e = 0.6;
  Real x1(start = 0, fixed = true), x2(start = 0.5, fixed = true), v1(start = 0, fixed = true), v2(start = 0, fixed = true), gap;
equation
  gap = x2 - x1;
  der(x1) = v1;
  der(x2) = v2;
  m1*der(v1) = F;
  m2*der(v2) = 0;
  when gap < 0 then
    reinit(v1, ((m1 - e*m2)*pre(v1) + (1 + e)*m2*pre(v2))/(m1 + m2));
    reinit(v2, ((m2 - e*m1)*pre(v2) + (1 + e)*m1*pre(v1))/(m1 + m2));
  end when;
  annotation(experiment(StopTime = 5));
end CartPushesCart;
