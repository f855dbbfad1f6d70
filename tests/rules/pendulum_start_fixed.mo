// rule: two fixed values determine the others; the guess selects one of two solutions
// expect x(0) = 0.6
// expect y(0) = -0.8
// expect vx(0) = 1
// expect vy(0) = 0.75
// expect lam(0) = 9.4105
model PendulumStartFixed
  Real x(start = 0.6, fixed = true), y(start = -0.9), vx(start = 1, fixed = true), vy(start = 0);
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end PendulumStartFixed;
