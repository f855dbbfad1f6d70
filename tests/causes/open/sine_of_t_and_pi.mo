// cause: text
// culprits: t, pi
// why: the time is called time, and pi must be declared: both names are unknown.
model SineOfTAndPi "alternating source on a coil"
  parameter Real L = 0.1, R = 2, f = 50;
  Real u, i(start = 0, fixed = true);
equation
  u = 325*sin(2*pi*f*t);
  L*der(i) = u - R*i;
  annotation(experiment(StopTime = 0.1));
end SineOfTAndPi;
