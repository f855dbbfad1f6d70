// cause: event_accumulation | chattering
// culprits: x, v, s, u
// time: 4.472136 +- 1e-2
// why: with u = -sign(x + 0.3 v |v|) the speed at each switching is half of the one before, and so are the times between them:
//     v1 = 1/sqrt(0.8), and the switchings accumulate at 4 v1.
model PositioningInFullersWay "positioning drive with a switching curve of the wrong factor"
  parameter Real C = 0.3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), s, u;
equation
  s = x + C*v*abs(v);
  u = if s > 0 then -1 else 1;
  der(x) = v;
  der(v) = u;
  annotation(experiment(StopTime = 8));
end PositioningInFullersWay;
