// cause: none
// expect: n(10000.5) = 10000 +- 0.1; T(10000.5) = 0.5 +- 1e-3
// why: T rises from 0 to 1 in 1 s and falls in 1 s: a switch at every full second, none of them nearer to the next;
//     after 10000 of them T rises.
model HealthyTenThousandSwitches "a good thermostat for a long time"
  Real T(start = 0, fixed = true), Q;
  Boolean on(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  on = T < 0 or pre(on) and T < 1;
  Q = if on then 2 else 0;
  der(T) = Q - 1;
  when change(on) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 10000.5));
end HealthyTenThousandSwitches;
