// rule: where the equations cease to determine the solution the run ends with an impasse
// The steering wheel of [BCP96] (1.9): g_y f_z becomes 0 at t = 0.3724897.
// run solve --rtol 1e-8
// expect exit 1
// expect error 'impasse at t = 0.37248'
model Impasse
  Real y1(start = 1, fixed = true), y2, z;
equation
  der(y1) = 0.7*y2 + sin(2.5*z);
  der(y2) = 1.4*y1 + cos(2.5*z);
  y1^2 + y2^2 = 1;
  annotation(experiment(StopTime = 1));
end Impasse;
