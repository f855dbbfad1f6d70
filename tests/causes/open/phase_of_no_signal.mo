// cause: undetermined_variable | redundant_equations
// culprits: phi
// why: the lock-in amplifier has no input (amplitude 0), so X = Y = 0 for all times, R = 0, and R cos(phi) = 0 =
//     R sin(phi) hold for every phi: the phase is free.
model PhaseOfNoSignal "amplitude and phase from the two outputs of a lock-in amplifier"
  parameter Real amplitude = 0, tau = 0.1;
  Real X(start = 0, fixed = true), Y(start = 0, fixed = true), R(start = 0), phi(start = 0.3), deg;
equation
  tau*der(X) = 0.8*amplitude - X;
  tau*der(Y) = 0.6*amplitude - Y;
  R*cos(phi) = X;
  R*sin(phi) = Y;
  deg = phi*57.29577951308232;
  annotation(experiment(StopTime = 1));
end PhaseOfNoSignal;
