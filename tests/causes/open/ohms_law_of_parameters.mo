// cause: structure
// culprits: P, T, V, R, I
// why: V, R and I are parameters (12 = 4 times 3 holds by itself), so that this equation has no unknown, and the heat P has no
//     equation.
model OhmsLawOfParameters "resistor that warms up"
  parameter Real V = 12, R = 4, I = 3, C = 20, G = 0.5;
  Real T(start = 20, fixed = true), P;
equation
  V = R*I;
  C*der(T) = P - G*(T - 20);
  annotation(experiment(StopTime = 100));
end OhmsLawOfParameters;
