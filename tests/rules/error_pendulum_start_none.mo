// rule: a fixed value without a solution is no contradiction of conditions
// expect exit 5
// expect error 'no solution near the start values: equation "x^2 + y^2 = 1" (line 12)'
model ErrorPendulumStartNone
  Real x(start = 1.5, fixed = true), y(start = -0.7), vx(start = 0), vy(start = 0);
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end ErrorPendulumStartNone;
