// cause: undetermined_variable | redundant_equations
// culprits: F1, F2
// why: the second equation of the allocation is the first in N mm; the two forces are known by one combination only.
model MomentInTwoUnits "two jets turn a platform"
  parameter Real l1 = 0.25, l2 = 0.5, J = 3;
  Real th(start = 0.2, fixed = true), w(start = 0, fixed = true), M, F1(start = 0), F2(start = 0), gas(start = 1, fixed = true);
equation
  der(th) = w;
  J*der(w) = M;
  M = -2*th - 3*w;
  l1*F1 + l2*F2 = M;
  1000*l1*F1 + 1000*l2*F2 = 1000*M;
  der(gas) = -1e-3*(F1^2 + F2^2);
  annotation(experiment(StopTime = 10));
end MomentInTwoUnits;
