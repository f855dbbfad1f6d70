// cause: none
// expect: x(4) = 0.5414147706 +- 5e-4; y(4) = -0.7097586201 +- 5e-4
// why: index 3 with a rope whose length is prescribed, 1 + 0.2 sin(3 t); Runge-Kutta for the angle. Start values agree with the
//     constraints: the rope gets longer by 0.6 per second at the start.
model HealthyWinchAndPendulum "swinging load while the winch runs"
  parameter Real g = 9.81;
  Real L, x(start = 0.7173560908995228, fixed = true), y(start = -0.7), u(start = 0.4304136545397137, fixed = true), v(start = -0.4), S;
equation
  L = 1 + 0.2*sin(3*time);
  der(x) = u;
  der(y) = v;
  der(u) = -S*x;
  der(v) = -S*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 4));
end HealthyWinchAndPendulum;
