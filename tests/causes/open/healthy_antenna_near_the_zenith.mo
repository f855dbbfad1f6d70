// cause: none
// expect: m(5.2) = 0.06471974633 +- 1e-4
// why: the satellite passes the zenith at a distance of 1e-3, so that the azimuth turns by half a turn within milliseconds at t
//     = 5, smoothly; the mount follows as a lag. Runge-Kutta with steps down to 5e-7.
model HealthyAntennaNearTheZenith "fast transient in the middle of a calm run"
  Real x, az, m(start = 3.141592653589793, fixed = true);
equation
  x = time - 5;
  az = atan2(1e-3, x);
  der(m) = 20*(az - m);
  annotation(experiment(StopTime = 5.2));
end HealthyAntennaNearTheZenith;
