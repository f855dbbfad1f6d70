// rule: redundant fixed values that agree with the others are accepted with a warning
// expect warning 'y fixed at -0.8, vy fixed at 0.6 follow from the other conditions of the start'
// expect lam(0) = 8.848
model PendulumStartRedundant
  Real x(start = 0.6, fixed = true), y(start = -0.8, fixed = true), vx(start = 0.8, fixed = true), vy(start = 0.6, fixed = true);
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end PendulumStartRedundant;
