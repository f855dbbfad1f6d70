// cause: discontinuity
// culprits: x, y, xp, S
// time: 1 +- 1e-6
// why: a load hangs at rest, x = 0, y = -1, on a rigid rod; at t = 1 its pivot is moved by 0.1 in no time. The position of the load
//     would have to jump with an infinite force.
model LoadUnderJumpingTrolley "pendulum whose pivot is prescribed"
  parameter Real g = 9.81, L = 1;
  Real x(start = 0), y(start = -1), u(start = 0), v(start = 0), S, xp;
equation
  xp = if time < 1 then 0 else 0.1;
  der(x) = u;
  der(y) = v;
  der(u) = -S*(x - xp);
  der(v) = -S*y - g;
  (x - xp)^2 + y^2 = L^2;
  annotation(experiment(StopTime = 3));
end LoadUnderJumpingTrolley;
