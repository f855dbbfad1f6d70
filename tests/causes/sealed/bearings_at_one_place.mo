// cause: undetermined_variable | redundant_equations
// culprits: F1, F2
// why: both bearings are at 0.5 m, below the load: the equation of moments is half the equation of forces, and how
//     the bearings share the load is not determined.
model BearingsAtOnePlace "a shaft on two bearings; the place of the second was copied from the first"
  parameter Real m = 20, x1 = 0.5, x2 = 0.5, xLoad = 0.5, mu = 0.02, r = 0.03, J = 0.8;
  Real W, F1(start = 100), F2(start = 100), tau, w(start = 50, fixed = true), wear(start = 0, fixed = true);
equation
  W = m*(9.81 + sin(time));
  F1 + F2 = W;
  x1*F1 + x2*F2 = xLoad*W;
  tau = mu*r*(F1 + F2);
  J*der(w) = -tau;
  der(wear) = 1e-6*F1*w;
  annotation(experiment(StopTime = 10));
end BearingsAtOnePlace;
