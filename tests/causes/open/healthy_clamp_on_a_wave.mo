// cause: none
// expect: q(4) = 0.1363185807 +- 1e-4; v(4) = -0.5440211109 +- 1e-4
// why: the diode keeps v at 0.8 or below, a limiter written with a path parameter: v = min(sin, 0.8) behind a resistor, the charge is the
//     integral of (sin - 0.8) where that is positive.
model HealthyClampOnAWave
  Real u, v, i, s, q(start = 0, fixed = true);
equation
  u = sin(2.5*time);
  u - v = i;
  i = if s > 0 then s else 0;
  v = 0.8 + (if s > 0 then 0 else s);
  der(q) = i;
  annotation(experiment(StopTime = 4));
end HealthyClampOnAWave;
