// cause: none
// expect: q(1) = 1 +- 1e-5; v(0.503) = 49.8119702 +- 5e-3
// why: one pulse of a microsecond in a run of a second, by relations with the time; v = 1e6 (1 - exp(-1e-3)) at its end, then
//     exp(-1000 s); its integral is 1.
// run: -n 1000
model HealthyRadarPulse "receiver behind a short pulse"
  Real p, v(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  p = if time >= 0.5 and time < 0.500001 then 1e6 else 0;
  der(v) = 1000*(p - v);
  der(q) = v;
  annotation(experiment(StopTime = 1));
end HealthyRadarPulse;
