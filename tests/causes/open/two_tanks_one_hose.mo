// cause: event_accumulation
// culprits: x1, x2, first
// time: 6 +- 1e-2
// why: outflows 0.4 + 0.4, inflow 0.5: the sum 0.9 + 0.9 falls by 0.3 per second, so both levels meet their limit 0
//     at t = 6, with switches of the hose ever faster.
model TwoTanksOneHose "a hose is moved to the tank that has just become empty"
  parameter Real w = 0.5, v1 = 0.4, v2 = 0.4;
  Real x1(start = 0.9, fixed = true), x2(start = 0.9, fixed = true), in1, in2;
  Boolean first(start = true, fixed = true);
equation
  in1 = if first then w else 0;
  in2 = if first then 0 else w;
  der(x1) = in1 - v1;
  der(x2) = in2 - v2;
  when x2 < 0 then
    first = false;
  elsewhen x1 < 0 then
    first = true;
  end when;
  annotation(experiment(StopTime = 8));
end TwoTanksOneHose;
