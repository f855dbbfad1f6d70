// cause: domain_error
// culprits: slip, v
// time: 0
// why: the slip is divided by the speed of the car, which is 0 at the start: 3/0.
model SlipOfAWheelAtRest "launch of a car with spinning wheels"
  parameter Real m = 800, J = 1.5, r = 0.3, k = 400;
  Real v(start = 0, fixed = true), w(start = 10, fixed = true), slip, F;
equation
  slip = (w*r - v)/v;
  F = k*slip;
  m*der(v) = F;
  J*der(w) = 50 - F*r;
  annotation(experiment(StopTime = 5));
end SlipOfAWheelAtRest;
