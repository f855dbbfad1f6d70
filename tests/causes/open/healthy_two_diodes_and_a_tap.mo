// cause: none
// expect: v(0.05) = 9.258549525 +- 5e-4
// why: full-wave rectifier with a centre tap: i = max(0, u - v) + max(0, -u - v) in amperes, 1 mF; by a Runge-Kutta method with steps of 2.5e-7
//     and 5e-7, which agree to 6e-9. The diodes are ideal and switch ten times.
model HealthyTwoDiodesAndATap "rectifier with ideal diodes and a capacitor"
  parameter Real R = 1, C = 1e-3, RL = 100, w = 314.1592653589793;
  Real u, v(start = 0, fixed = true), i1, i2, vd1, vd2, s1, s2;
equation
  u = 10*sin(w*time);
  u = R*i1 + vd1 + v;
  -u = R*i2 + vd2 + v;
  vd1 = if s1 < 0 then s1 else 0;
  i1 = if s1 < 0 then 0 else s1;
  vd2 = if s2 < 0 then s2 else 0;
  i2 = if s2 < 0 then 0 else s2;
  C*der(v) = i1 + i2 - v/RL;
  annotation(experiment(StopTime = 0.05));
end HealthyTwoDiodesAndATap;
