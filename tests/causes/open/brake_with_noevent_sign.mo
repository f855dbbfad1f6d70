// cause: discontinuity | contradiction | no_solution
// culprits: tau, a
// time: 1 +- 1e-3
// why: a + 0.5 sgn(a) = 1.5 - t: while the right side exceeds 0.5 the slope is a = 1 - t; from t = 1 on, where it
//     lies between -0.5 and 0.5, no a fits.
model BrakeWithNoEventSign "the friction torque depends on the sign of the acceleration, which it determines"
  Real drive, a(start = 1), tau(start = 0.5), w(start = 0, fixed = true), P;
equation
  drive = 1.5 - time;
  tau = noEvent(if a > 0 then 0.5 else -0.5);
  a = drive - tau;
  der(w) = a;
  P = tau*w;
  annotation(experiment(StopTime = 1.6));
end BrakeWithNoEventSign;
