// rule: at a turning point the fixed value makes the start singular; a warning reports it
// expect warning 'the start is singular: at this point (as at a turning point) x fixed at 1, vx fixed at 0 do not determine y, vy: fix y, vy instead'
// expect x(0) = 1
// expect y(0) = 0
// expect vy(0) = 0
model PendulumStartTurning
  Real x(start = 1, fixed = true), y(start = -0.1), vx(start = 0, fixed = true), vy(start = 0);
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end PendulumStartTurning;
