// rule: of fixed values that contradict the equations the smallest such set is named
// expect exit 5
// expect error 'no consistent start at t = 0: equation "x^2 + y^2 = 1" (line 12), x fixed at 0.6 and y fixed at -0.7 contradict each other'
model ErrorPendulumStartConflict
  Real x(start = 0.6, fixed = true), y(start = -0.7, fixed = true), vx(start = 0), vy(start = 0);
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end ErrorPendulumStartConflict;
