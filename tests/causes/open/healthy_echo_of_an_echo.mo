// cause: none
// expect: z(5) = -0.05837414343 +- 1e-5; s(5) = 1.998294776 +- 1e-5
// why: two delays in a row: z = sin(t - 1.8) from 1.8 on, 0 before; s is its integral, 1 - cos(3.2).
model HealthyEchoOfAnEcho "sound in two pipes"
  Real u, y, z, s(start = 0, fixed = true);
equation
  u = sin(time);
  y = delay(u, 0.7);
  z = delay(y, 1.1);
  der(s) = z;
  annotation(experiment(StopTime = 5));
end HealthyEchoOfAnEcho;
