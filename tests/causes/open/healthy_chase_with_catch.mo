// cause: none
// expect: x(2) = 20 +- 1e-6; n(2) = 3 +- 0.1
// why: the chaser of achilles, who stops to look where the prey is within 2 mm: three looks.
model HealthyChaseWithCatch "a chaser who runs to the place where the prey was seen, until it is near"
  Real x(start = 0, fixed = true), y(start = 10, fixed = true);
  discrete Real target(start = 10, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 10;
  der(y) = 1;
  when x >= pre(target) and y - x > 2e-3 then
    target = y;
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end HealthyChaseWithCatch;
