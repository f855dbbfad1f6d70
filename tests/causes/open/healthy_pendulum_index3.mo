// cause: none
// expect: x(3) = -0.4782612556 +- 1e-4; y(3) = -0.8782176105 +- 1e-4
// why: the angle from the vertical obeys phi'' = -g sin(phi), integrated on its own with RK4 and 60000 steps.
model HealthyPendulumIndex3 "pendulum over more than one swing, redundant but consistent fixed values"
  parameter Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8, fixed = true), vx(start = 0.8, fixed = true), vy(start = 0.6, fixed = true), F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 3, Tolerance = 1e-7));
end HealthyPendulumIndex3;
