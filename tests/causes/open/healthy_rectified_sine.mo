// cause: none
// expect: x(10) = 6.160928471 +- 1e-5
// why: the integral of |sin| to 3 pi is 6, the rest is 1 - cos(10 - 3 pi).
model HealthyRectifiedSine "corners of abs"
  Real x(start = 0, fixed = true), u, y;
equation
  u = abs(sin(time));
  der(x) = u;
  y = max(u, 0.5);
  annotation(experiment(StopTime = 10));
end HealthyRectifiedSine;
