// cause: none
// expect: D(3) = 2.478752177e-3 +- 1e-7; M(3) = 4.978706837e-2 +- 1e-6
// why: Kaps' problem with 1e-8: the dimer follows M^2 within 1e-8 s; exactly D = exp(-2 t), M = exp(-t).
model HealthyFastDimer "very fast equilibrium"
  parameter Real eps = 1e-8;
  Real D(start = 1, fixed = true), M(start = 1, fixed = true);
equation
  der(D) = -(1/eps + 2)*D + M^2/eps;
  der(M) = D - M - M^2;
  annotation(experiment(StopTime = 3));
end HealthyFastDimer;
