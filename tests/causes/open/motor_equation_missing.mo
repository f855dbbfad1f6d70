// cause: structure
// culprits: tau, i, eMotor
// why: 8 unknowns, 7 equations: tau = k*i was forgotten.
model MotorEquationMissing "DC motor with a load"
  parameter Real R = 1.2, L = 2e-3, k = 0.05, J = 1e-4, d = 1e-4;
  Real u, i(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
  Real tau, eMotor, P, load;
equation
  u = 12;
  L*der(i) = u - R*i - eMotor;
  eMotor = k*w;
  J*der(w) = tau - d*w - load;
  load = 0.01;
  der(phi) = w;
  P = u*i;
  annotation(experiment(StopTime = 1));
end MotorEquationMissing;
