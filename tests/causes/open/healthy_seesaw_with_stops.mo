// cause: none
// expect: th(3) = 0.272369572 +- 2e-4; hits(3) = 2.0 +- 0.1
// why: under a constant torque each flight is a parabola; the stop at 0.3 gives back 0.7 of the speed.
model HealthySeesawWithStops
  Real th(start = -0.3, fixed = true), w(start = 0, fixed = true);
  Integer hits(start = 0, fixed = true);
equation
  der(th) = w;
  der(w) = 0.8;
  when th > 0.3 then
    reinit(w, -0.7*pre(w));
    hits = pre(hits) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end HealthySeesawWithStops;
