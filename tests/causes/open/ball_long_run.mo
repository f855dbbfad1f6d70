// cause: event_accumulation
// culprits: h, v
// time: 4.0636797 +- 5e-3
// why: bounces from 1 m with e = 0.8 accumulate at sqrt(2/g) (1 + e)/(1 - e) = 0.4515236 * 9.
model BallLongRun "the first model of every course, run longer than in the course"
  parameter Real g = 9.81, e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), E;
equation
  der(h) = v;
  der(v) = -g;
  E = 0.5*v^2 + g*h;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 10));
end BallLongRun;
