// cause: event_accumulation | chattering
// culprits: x, v
// time: 3.6213203 +- 5e-3
// why: x'' = -6 sign(x) - 2 sign(x'): every half turn around the origin halves the amplitude and takes 1/sqrt(2) of the time
//     of the one before; the first takes 1.06066 s, so that infinitely many switchings happen before
//     1.06066/(1 - 1/sqrt(2)) = 3.6213. (At the limit itself both relations chatter.)
model TwistingController "second-order sliding mode for the joint of a robot"
  parameter Real a = 6, b = 2;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), torque;
equation
  torque = (if x > 0 then -a else a) + (if v > 0 then -b else b);
  der(x) = v;
  der(v) = torque;
  annotation(experiment(StopTime = 6));
end TwistingController;
