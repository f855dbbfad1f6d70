// cause: chattering
// culprits: slip, w, torque
// time: 0.0418182 +- 2e-3
// why: with the torque on the slip grows (0.24 w - v rises by 44 per second), with the torque off it falls (by 76): from 0.0418
//     s on, when the slip reaches 0.2, both sides push back to the limit.
model TractionControlByALimit "motor torque is cut where the slip is above 20 per cent"
  parameter Real m = 500, J = 2, r = 0.3, F = 2000;
  Real v(start = 10, fixed = true), w(start = 34, fixed = true), slip, torque;
equation
  slip = (w*r - v)/(w*r);
  torque = if slip > 0.2 then 0 else 1000;
  m*der(v) = F;
  J*der(w) = torque - F*r;
  annotation(experiment(StopTime = 1));
end TractionControlByALimit;
