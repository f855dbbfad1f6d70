// rule: reinit(x, e) changes a state at an event
// h = 1 - t^2 meets 0 at t = 1 with v = -2; half of it back: h = s - s^2, s = t - 1, until t = 2
// expect v(1-) = -2 +- 1e-4
// expect v(1+) = 1 +- 1e-4
// expect h(1.5) = 0.25 +- 1e-4
// expect v(2-) = -1 +- 1e-4
// expect v(2+) = 0.5 +- 1e-4
model ReinitBouncingBall
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 2.25));
end ReinitBouncingBall;
