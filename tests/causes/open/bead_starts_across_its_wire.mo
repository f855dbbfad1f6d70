// cause: inconsistent_start
// culprits: u, v, x
// time: 0
// why: on the wire y = x^2/2 the velocity is v = x u; x = 1, u = 1.5 and v = 0 are all fixed. Only the derivative of the
//     constraint shows it.
model BeadStartsAcrossItsWire "bead on a parabolic wire"
  parameter Real m = 0.1, g = 9.81;
  Real x(start = 1, fixed = true), y(start = 0.5), u(start = 1.5, fixed = true), v(start = 0, fixed = true), N(start = 1);
equation
  der(x) = u;
  der(y) = v;
  m*der(u) = -N*x;
  m*der(v) = N - m*g;
  y = x^2/2;
  annotation(experiment(StopTime = 5));
end BeadStartsAcrossItsWire;
