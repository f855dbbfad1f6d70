// cause: bounds
// culprits: q
// time: 0.5519 +- 1e-2
// why: the step response of the weakly damped joint (w = 4, zeta = 0.2) overshoots to 1.527; the declared limit of the joint, 1.25, is
//     passed at 0.5519 (Runge-Kutta).
model JointOvershootsLimit "robot joint with a stop that is declared only"
  parameter Real w = 4, zeta = 0.2, target = 1;
  Real q(start = 0, fixed = true, min = -1.25, max = 1.25), qd(start = 0, fixed = true), e;
equation
  e = target - q;
  der(q) = qd;
  der(qd) = w^2*e - 2*zeta*w*qd;
  annotation(experiment(StopTime = 5));
end JointOvershootsLimit;
