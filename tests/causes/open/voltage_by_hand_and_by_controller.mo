// cause: structure
// culprits: u
// why: u is bound to 24 in its declaration and given by the controller as well: one equation too many.
model VoltageByHandAndByController "speed control of a DC motor"
  parameter Real R = 0.5, k = 0.05, J = 1e-3, Kp = 0.8, Ki = 2;
  Real u = 24 "supply";
  Real i, w(start = 0, fixed = true), e, z(start = 0, fixed = true);
equation
  e = 150 - w;
  der(z) = e;
  u = Kp*e + Ki*z;
  u = R*i + k*w;
  J*der(w) = k*i - 1e-4*w;
  annotation(experiment(StopTime = 2));
end VoltageByHandAndByController;
