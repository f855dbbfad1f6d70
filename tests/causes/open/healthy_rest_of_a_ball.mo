// cause: none
// expect: h(5) = 0 +- 1e-6; v(5) = 0 +- 1e-9
// why: the tenth impact is slower than 0.01 m/s and ends the motion, long before the impacts would accumulate.
model HealthyRestOfABall "a bouncing ball that knows when to stop"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean resting(start = false, fixed = true);
equation
  der(h) = if resting then 0 else v;
  der(v) = if resting then 0 else -9.81;
  when h < 0 then
    resting = abs(pre(v)) < 0.01;
    reinit(v, if abs(pre(v)) < 0.01 then 0 else -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 5));
end HealthyRestOfABall;
