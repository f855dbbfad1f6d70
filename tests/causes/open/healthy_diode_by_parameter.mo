// cause: none
// expect: vf(6) = 0.0000048 +- 1e-4; q(6) = 0.4 +- 1e-5
// why: the diode of diode_by_its_current with the curve parameter s, which is a voltage or a current: the current is
//     the positive half of 0.2 sin(t), its integral 0.4.
model HealthyDiodeByParameter "an ideal diode with a curve parameter"
  parameter Real R = 50, C = 1e-3;
  Real u, v, i, s, vf(start = 0, fixed = true), q(start = 0, fixed = true);
  Boolean off;
equation
  u = 10*sin(time);
  u = v + R*i;
  off = s < 0;
  v = if off then s else 0;
  i = if off then 0 else s;
  C*der(vf) = i - vf/200;
  der(q) = i;
  annotation(experiment(StopTime = 6));
end HealthyDiodeByParameter;
