// cause: redundant_equations | undetermined_variable
// culprits: F1, F2, F3, F4
// why: three equations of equilibrium exist; the moment about the diagonal is a sum of the other two moments and says
//     nothing new, so one leg force is free.
model TableOnFourLegs "a load walks over a table with four stiff legs"
  parameter Real W = 400, g = 9.81, m = 60, v = 0.1;
  Real F1, F2, F3, F4, xL(start = -0.4, fixed = true), yL, wear(start = 0, fixed = true);
equation
  der(xL) = v;
  yL = 0.1;
  F1 + F2 + F3 + F4 = W + m*g;
  0.5*(F1 + F2 - F3 - F4) = m*g*yL;
  0.5*(F1 - F2 + F3 - F4) = m*g*xL;
  0.5*(F1 + F2 - F3 - F4) + 0.5*(F1 - F2 + F3 - F4) = m*g*(xL + yL);
  der(wear) = 1e-6*F1;
  annotation(experiment(StopTime = 5));
end TableOnFourLegs;
