// cause: undetermined_variable | structure
// culprits: uff
// why: with kff = 0 the equation for the feed-forward reads 0 = 0 and nothing else determines uff, which the actuator
//     does use.
model GainIsZero "speed control with a feed-forward that was switched off by its gain"
  parameter Real kff = 0, kp = 4, Ti = 0.5, J = 0.2, d = 0.1;
  Real w(start = 0, fixed = true), I(start = 0, fixed = true), ref, e, u, uff, torque, usat;
equation
  ref = if time < 0.5 then 0 else 10;
  e = ref - w;
  der(I) = e/Ti;
  kff*uff = kff*(d*ref);
  u = kp*(e + I) + uff;
  usat = 20*tanh(u/20);
  torque = usat;
  J*der(w) = torque - d*w;
  annotation(experiment(StopTime = 3));
end GainIsZero;
