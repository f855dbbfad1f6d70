// A ball loses 30 % of its speed at every bounce: when it touches the ground, its velocity is
// reversed by reinit.  The time between bounces tends to zero; the run ends before that.
// reference: h = 0.0424335478026 at t = 2, tolerance 1e-4
// from: closed form
model BouncingBall "a ball that bounces: when and reinit"
  parameter Real e = 0.7 "speed kept", g(unit = "m/s2") = 9.81;
  Real h(unit = "m", start = 1, fixed = true), v(unit = "m/s", start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 2.2));
end BouncingBall;
