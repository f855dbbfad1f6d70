// cause: event_accumulation
// culprits: x, v
// time: 0.4311028 +- 1e-3
// why: a preloaded spring presses the plate on its seat; each impact keeps 0.6 of the speed: the flights take 2 atan(v/(w x0))/w,
//     and their sum is finite.
model ValvePlateBouncesOnItsSeat "plate of a compressor valve, lift in mm"
  parameter Real w = 20, x0 = 2, e = 0.6;
  Real x(start = 5, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w^2*(x + x0);
  when x <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 1));
end ValvePlateBouncesOnItsSeat;
