// rule: a steady start: one condition follows from the others
// expect warning 'initial equation "der(vy) = 0" (line 12) does not determine vx: fix vx instead'
// expect x(0) = 0
// expect y(0) = -1
// expect vx(0) = 0
// expect lam(0) = 9.81
model PendulumStartSteady
  Real x(start = 0.1), y(start = -0.9), vx(start = 0.1), vy(start = 0);
  Real lam;
initial equation
  der(vx) = 0;
  der(vy) = 0;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end PendulumStartSteady;
