// cause: event_accumulation
// culprits: x, y, target, n
// time: 1.1111111 +- 5e-3
// why: each time Achilles reaches his target, the tortoise has moved a tenth of the way: the distances, 10, 1, 0.1,
//     ..., are run in 1, 0.1, 0.01, ... s: infinitely many events before 10/9 s.
model Achilles "a chaser who always runs to the place where the prey was last seen"
  Real x(start = 0, fixed = true), y(start = 10, fixed = true), gap;
  discrete Real target(start = 10, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 10;
  der(y) = 1;
  gap = y - x;
  when x >= pre(target) then
    target = y;
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end Achilles;
