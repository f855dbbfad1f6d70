// cause: assertion
// culprits: P, overloaded
// time: 2.5 +- 1e-2
// why: P = tau w = 2 (50 + 40 t) is 300 W at t = 2.5, the limit of the assertion.
model MotorOverloaded "drive with a constant torque and a limit of its power"
  parameter Real tau = 2, J = 0.05, Pmax = 300;
  Real w(start = 50, fixed = true), phi(start = 0, fixed = true), P;
equation
  J*der(w) = tau;
  der(phi) = w;
  P = tau*w;
  assert(P < Pmax, "the motor is overloaded");
  annotation(experiment(StopTime = 5));
end MotorOverloaded;
