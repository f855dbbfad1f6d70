// cause: event_accumulation | blow_up
// culprits: x, v, gap
// time: 1 +- 1e-2
// why: between the table and a paddle that comes down with the speed 1 from the height 1, an elastic ball hits ever faster: gap times
//     speed is kept, so that infinitely many hits happen before t = 1.
model BallUnderASinkingPaddle
  Real x(start = 0, fixed = true), v(start = 5, fixed = true), gap;
equation
  gap = 1 - time - x;
  der(x) = v;
  der(v) = 0;
  when gap < 0 then
    reinit(v, -pre(v) - 2);
  elsewhen x < 0 then
    reinit(v, -pre(v));
  end when;
  annotation(experiment(StopTime = 1.5));
end BallUnderASinkingPaddle;
