// cause: none
// expect: x(2) = -0.4 +- 1e-7; k(2) = 2000 +- 1.1
// why: 2000 periods of which 40 % are +1 and the rest -1: x falls by 0.2 in a second.
model HealthyPulsesByFloor "pulses of a millisecond by floor and mod"
  Real x(start = 0, fixed = true);
  Integer k;
equation
  k = integer(floor(time/1e-3));
  der(x) = if mod(time, 1e-3) < 0.4e-3 then 1 else -1;
  annotation(experiment(StopTime = 2));
end HealthyPulsesByFloor;
