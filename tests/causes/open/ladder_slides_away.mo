// cause: domain_error
// culprits: alpha, d
// time: 3 +- 1e-3
// why: alpha = asin(d/L) with d = 0.5 + 0.5 t and L = 2 is defined until d = 2, t = 3.
model LadderSlidesAway "angle of a ladder whose foot is pulled away"
  parameter Real L = 2, v = 0.5;
  Real d(start = 0.5, fixed = true), alpha, hTop, torque, energy(start = 0, fixed = true);
equation
  der(d) = v;
  alpha = asin(d/L);
  hTop = L*cos(alpha);
  torque = 9.81*d/2;
  der(energy) = torque*v;
  annotation(experiment(StopTime = 5));
end LadderSlidesAway;
