// cause: contradiction
// culprits: tau, holds
// time: 2.75 +- 1e-4
// why: while the brake holds, the torque in it is twice the load, else half of it; it holds if the torque is below 1.5. With
//     the load 0.2 + 0.2 t = 0.75 at t = 2.75 the holding brake carries 1.5 and must slip, and the slipping one carries 0.375 and
//     must hold: from then on neither is possible.
model BrakeSlipsOrHolds "holding brake of a winch"
  parameter Real limit = 1.5;
  Real load, tau, heat(start = 0, fixed = true);
  Boolean holds;
equation
  load = 0.2 + 0.2*time;
  holds = tau < limit;
  tau = if holds then 2*load else 0.5*load;
  der(heat) = if holds then 0 else tau;
  annotation(experiment(StopTime = 5));
end BrakeSlipsOrHolds;
