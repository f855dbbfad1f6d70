// cause: event_iteration
// culprits: gear, n
// time: 2 +- 1e-6
// why: at t = 2 the speed for changing up falls to 3000/min: in gear 1 the engine turns at 3100, which is too fast, in
//     gear 2 at 1860, which is too slow: gear 2, gear 1, gear 2, ..., all at one instant.
model GearboxHunts "automatic gearbox, economy mode chosen at 2 s"
  Real v(start = 31, fixed = true), n, nUp, fuel(start = 0, fixed = true);
  Integer gear(start = 1, fixed = true);
equation
  der(v) = 0.01*(31 - v);
  nUp = if time < 2 then 5000 else 3000;
  n = v*(if pre(gear) == 1 then 100 else 60);
  gear = if pre(gear) == 1 and n > nUp then 2 elseif pre(gear) == 2 and n < 2000 then 1 else pre(gear);
  der(fuel) = 1e-4*n;
  annotation(experiment(StopTime = 4));
end GearboxHunts;
