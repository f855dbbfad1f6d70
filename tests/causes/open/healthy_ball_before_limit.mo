// cause: none
// expect: n(4.0) = 19 +- 0.1; h(4.0) = 7.767499143e-05 +- 1e-5
// why: the bounces accumulate at 4.06368 only (e = 0.8); at t = 4 there have been finitely many, counted in Python.
model HealthyBallBeforeLimit
  parameter Real g = 9.81, e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -e*pre(v));
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 4));
end HealthyBallBeforeLimit;
