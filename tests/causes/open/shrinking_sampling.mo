// cause: event_accumulation
// culprits: next, dt, n
// time: 5 +- 1e-2
// why: the sampling times 1, 1.8, 2.44, ... tend to 1 + 0.8/(1 - 0.8) = 5: infinitely many time events before t = 5.
model ShrinkingSampling "a controller that shortens its sampling interval at each sample"
  Real x(start = 1, fixed = true), u(start = 0, fixed = true);
  Real next(start = 1, fixed = true), dt(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when time >= pre(next) then
    dt = 0.8*pre(dt);
    next = pre(next) + dt;
    u = 0.5*x;
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 8));
end ShrinkingSampling;
