// cause: bad_scaling
// or: n(1.54) = 0.53700674 +- 5e-4
// culprits: n
// why: n grows from 1e-20 and the default absolute tolerance is 1e-9: while n is small, no error of it is seen, and
//     each of them is amplified with n. n = 1/(1 + (1e20 - 1) exp(-30 t)).
model NeutronsFromOne "chain reaction, n relative to its final value, begun by a single neutron"
  parameter Real k = 30;
  Real n(start = 1e-20, fixed = true), power, T(start = 300, fixed = true);
equation
  der(n) = k*n*(1 - n);
  power = 100*n;
  der(T) = power - 0.5*(T - 300);
  annotation(experiment(StopTime = 1.54));
end NeutronsFromOne;
