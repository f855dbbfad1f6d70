// cause: event_iteration | event_accumulation
// culprits: x
// time: 1 +- 1e-6
// why: x reaches 1 at t = 1 and is set to 0; that makes x < 0.5 true, which sets it to 2, which makes x > 1 true
//     again, all at one instant.
model ReinitPingPong "two rules that undo each other"
  Real x(start = 0.6, fixed = true), y, integral(start = 0, fixed = true);
equation
  der(x) = 0.4;
  y = 3*x + 1;
  der(integral) = y;
  when x > 1 then
    reinit(x, 0);
  end when;
  when x < 0.5 then
    reinit(x, 2);
  end when;
  annotation(experiment(StopTime = 2));
end ReinitPingPong;
