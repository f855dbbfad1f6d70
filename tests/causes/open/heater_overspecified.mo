// cause: structure
// culprits: U, I, P
// why: U, I and P have four equations: U = 24, U = R I, P = U I, and the 100 W of the data sheet. Four unknowns with the
//     temperature, five equations.
model HeaterOverspecified "heating foil on an aluminium block"
  parameter Real R = 5, C = 900, G = 2;
  Real U, I, P, T(start = 20, fixed = true);
equation
  U = 24;
  U = R*I;
  P = U*I;
  P = 100;
  C*der(T) = P - G*(T - 20);
  annotation(experiment(StopTime = 1000));
end HeaterOverspecified;
