// rule: reinit of velocities that a constraint binds is honoured; velocities without a reinit follow the constraint
// energy at the wall: v^2/2 = 9.81 (0.8 - sqrt(1 - 0.09)) before the first impact, 0.64 of it behind
// expect e(0.6) = 0 +- 1e-5
// expect bound(0.9) = 0 +- 1e-6
// expect e(0.9) = -0.36*9.81*(sqrt(1 - 0.09) - 0.8) +- 1e-4
// expect n(1) = 1
model ReinitVelocitiesBound
  Real x(start = -0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy, lam;
  Real e = 0.5*(vx^2 + vy^2) + 9.81*(y + 0.8), bound = x*vx + y*vy;
  Integer n(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  when x > 0.3 then
    reinit(vx, -0.8*pre(vx));
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end ReinitVelocitiesBound;
