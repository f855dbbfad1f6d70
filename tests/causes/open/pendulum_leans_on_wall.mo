// cause: event_accumulation
// culprits: phi, w
// time: 3.3143488 +- 5e-3
// why: the wall is at phi = 0.1, so that gravity presses the pendulum against it; with e = 0.6 the intervals between impacts
//     shrink by 0.6 in the limit. Their sum was computed with a Runge-Kutta method and bisection.
model PendulumLeansOnWall "clapper that comes to rest against a stop"
  parameter Real g = 9.81, L = 0.8, e = 0.6, stop = 0.1;
  Real phi(start = 0.6, fixed = true), w(start = 0, fixed = true);
  Integer hits(start = 0, fixed = true);
equation
  der(phi) = w;
  der(w) = -g/L*sin(phi);
  when phi < stop then
    reinit(w, -e*pre(w));
    hits = pre(hits) + 1;
  end when;
  annotation(experiment(StopTime = 6));
end PendulumLeansOnWall;
