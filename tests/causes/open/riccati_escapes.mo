// cause: blow_up
// culprits: p
// time: 1.5707963 +- 5e-3
// why: der(p) = 1 + p^2 has the solution tan(t).
model RiccatiEscapes "Riccati equation of a controller, run in the wrong direction of time"
  parameter Real q = 1, b = 1;
  Real p(start = 0, fixed = true), k, x(start = 1, fixed = true), u, J(start = 0, fixed = true);
equation
  der(p) = q + b^2*p^2;
  k = b*p;
  u = -k*x/(1 + k^2);
  der(x) = u - x;
  der(J) = x^2;
  annotation(experiment(StopTime = 3));
end RiccatiEscapes;
