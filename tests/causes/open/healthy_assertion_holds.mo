// cause: none
// expect: x(7) = 0.6569800289 +- 1e-4
// why: 0.99999 sin(t) never exceeds 1, though it comes within 1e-5 of it; 1e-6 is the tolerance.
model HealthyAssertionHolds
  Real x(start = 0, fixed = true), v(start = 0.99999, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  assert(x <= 1, "x is too large");
  annotation(experiment(StopTime = 7, Tolerance = 1e-8));
end HealthyAssertionHolds;
