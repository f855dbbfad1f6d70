// cause: none
// expect: T(300) = 2000 +- 0.02; X(300) = 1 +- 1e-5
// why: adiabatic batch reactor: T = 500 + 1500 X, X' = 1e9 exp(-15000/T) (1 - X). The rate rises from 1e-4 to 5e5 1/s; it ignites at
//     129 s (Runge-Kutta), within microseconds, and is burnt out afterwards: X = 1.
model HealthyBatchIgnites "thermal explosion that ends when everything is burnt"
  parameter Real k0 = 1e9, Ta = 15000, T0 = 500, dT = 1500;
  Real X(start = 0, fixed = true), T(start = 500, nominal = 1000), k;
equation
  T = T0 + dT*X;
  k = k0*exp(-Ta/T);
  der(X) = k*(1 - X);
  annotation(experiment(StopTime = 300));
end HealthyBatchIgnites;
