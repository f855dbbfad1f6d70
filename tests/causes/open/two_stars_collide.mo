// cause: blow_up | domain_error
// culprits: x, v, vx, a
// time: 1.1107207 +- 5e-3
// why: two bodies fall on each other from rest at the distance 1 (GM = 1): collision at pi/(2 sqrt 2), where the
//     velocity becomes infinite.
model TwoStarsCollide "released from rest instead of on an orbit"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), vx(start = 0, fixed = true), vy(start = 0, fixed = true), r, ax, ay;
equation
  r = sqrt(x^2 + y^2);
  ax = -x/r^3;
  ay = -y/r^3;
  der(x) = vx;
  der(y) = vy;
  der(vx) = ax;
  der(vy) = ay;
  annotation(experiment(StopTime = 2));
end TwoStarsCollide;
