// cause: none
// expect: n(200) = 221 +- 0.1; h(200) = 0.1075573898 +- 1e-3
// why: without loss every bounce takes 2 sqrt(2/g); the first half period is sqrt(2/g).
model HealthyElasticBall "bounces that never come nearer to each other"
  parameter Real g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), E;
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  E = 0.5*v^2 + g*h;
  when h < 0 then
    reinit(v, -pre(v));
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 200, Tolerance = 1e-8));
end HealthyElasticBall;
