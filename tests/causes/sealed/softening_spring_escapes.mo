// cause: blow_up
// culprits: x, v, F
// time: 1.4422114 +- 5e-3
// why: from rest at 1.5, beyond the hill at x = 1, the spring pushes outwards with x^3 - x; infinity is reached after
//     the integral of dx/sqrt((x^2 - 2.25)(x^2/2 + 1/8)) from 1.5 on.
model SofteningSpringEscapes "Duffing's spring with the sign of the cubic term mixed up"
  parameter Real k = 1, k3 = -1;
  Real x(start = 1.5, fixed = true), v(start = 0, fixed = true), F, s(start = 0, fixed = true);
equation
  F = k*x + k3*x^3;
  der(x) = v;
  der(v) = -F;
  der(s) = 1/(1 + x^2) - s;
  annotation(experiment(StopTime = 5));
end SofteningSpringEscapes;
