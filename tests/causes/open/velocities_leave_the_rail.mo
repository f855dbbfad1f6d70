// cause: inconsistent_start
// culprits: vx, vy
// time: 0
// why: the position (0.6, -0.8) is on the circle, but the hidden constraint x*vx + y*vy = 0 gives 0.6*1 - 0.8*1 =
//     -0.2; all four are fixed.
model VelocitiesLeaveTheRail "bead on a circular wire, pushed in a direction that the wire does not have"
  parameter Real m = 0.2, r = 1, g = 9.81, mu = 0.1;
  Real x(start = 0.6, fixed = true), y(start = -0.8, fixed = true);
  Real vx(start = 1, fixed = true), vy(start = 1, fixed = true), N, ax, ay;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = ax;
  der(vy) = ay;
  m*ax = -N*x - mu*vx;
  m*ay = -N*y - mu*vy - m*g;
  x^2 + y^2 = r^2;
  annotation(experiment(StopTime = 2));
end VelocitiesLeaveTheRail;
