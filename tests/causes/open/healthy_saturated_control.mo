// cause: none
// expect: x(3) = 0.02489353418 +- 1e-5
// why: u = -1 while x > 0.5 (x = 2 - t until t = 1.5), then der(x) = -2 x: 0.5 exp(-2 (t - 1.5)).
model HealthySaturatedControl "limiter in a control loop"
  Real x(start = 2, fixed = true), u, us, e;
equation
  e = -x;
  us = 2*e;
  u = min(max(us, -1), 1);
  der(x) = u;
  annotation(experiment(StopTime = 3));
end HealthySaturatedControl;
