// cause: structure
// culprits: q, tau, w
// why: three unknowns, four equations: the joint follows the path exactly and has a controller that computes the torque. Either
//     the path or the controller is too many.
model ArmWithPathAndController "joint of a robot"
  parameter Real J = 0.3, Kp = 50, Kd = 5;
  Real q(start = 0), w(start = 0), tau;
equation
  der(q) = w;
  J*der(w) = tau - 0.1*w;
  q = 0.5*sin(2*time);
  tau = Kp*(0.5*sin(2*time) - q) - Kd*w;
  annotation(experiment(StopTime = 5));
end ArmWithPathAndController;
