// cause: event_iteration
// culprits: tap, v
// time: 5 +- 1e-5
// why: below 0.98 the changer goes up, above 1.02 down, without delay; a tap is 5 %. At t = 5 the voltage 0.98 becomes 1.029 and
//     that 0.98 again, without end.
model TapChangerWithCoarseTaps "transformer with a tap changer that acts at once"
  Real E(start = 1, fixed = true), v;
  Integer tap(start = 0, fixed = true);
equation
  der(E) = -0.004;
  v = E*(1 + 0.05*pre(tap));
  tap = if v < 0.98 then pre(tap) + 1 elseif v > 1.02 then pre(tap) - 1 else pre(tap);
  annotation(experiment(StopTime = 10));
end TapChangerWithCoarseTaps;
