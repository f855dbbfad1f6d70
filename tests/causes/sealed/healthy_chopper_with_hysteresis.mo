// cause: none
// expect: i(0.02) = 5 +- 0.0051; Q(0.02) = 0.0938649 +- 2e-4
// why: i rises to 5 A and then stays between 4.995 and 5.005: some 2000 switches, each 7 to 10 microseconds after the
//     one before, never faster. Q from the rise and 5 A for the rest.
model HealthyChopperWithHysteresis "current control of a coil with a narrow band"
  parameter Real U = 24, R = 2, L = 0.01;
  Real i(start = 0, fixed = true), v, Q(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = i < 4.995 or pre(on) and i < 5.005;
  v = if on then U else 0;
  L*der(i) = v - R*i;
  der(Q) = i;
  annotation(experiment(StopTime = 0.02));
end HealthyChopperWithHysteresis;
