// cause: none
// expect: x(10) = 1.839071529 +- 1e-4
// why: x = 1 - cos(t) touches its declared minimum 0 at the start and at 2 pi, and never leaves it.
model HealthyFloatTouchesTheBottom "oscillation that just reaches a limit"
  Real x(start = 0, fixed = true, min = 0), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 1 - x;
  annotation(experiment(StopTime = 10));
end HealthyFloatTouchesTheBottom;
