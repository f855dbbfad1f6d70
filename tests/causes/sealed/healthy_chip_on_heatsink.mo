// cause: none
// expect: T1(300) = 36.35356509 +- 1e-4; T2(300) = 21.35356509 +- 1e-4
// why: heat capacities of 1e-6 and 5000 J/K: time constants of half a microsecond and of eight minutes; solved with
//     the eigenvalues in 40 digits.
model HealthyChipOnHeatsink
  parameter Real C1 = 1e-6, C2 = 5e3, G12 = 2, G = 10, P = 30;
  Real T1(start = 20, fixed = true), T2(start = 20, fixed = true), q;
equation
  q = G12*(T1 - T2);
  C1*der(T1) = P - q;
  C2*der(T2) = q - G*(T2 - 20);
  annotation(experiment(StopTime = 300));
end HealthyChipOnHeatsink;
