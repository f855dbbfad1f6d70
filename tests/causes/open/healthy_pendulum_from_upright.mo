// cause: none
// expect: x(14) = 0.60130 +- 2e-3
// why: an unstable equilibrium left by 1e-6: x = 1e-6 cosh(t), above the tolerance from the beginning.
model HealthyPendulumFromUpright "leaving an unstable equilibrium"
  Real x(start = 1e-6, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = x;
  annotation(experiment(StopTime = 14));
end HealthyPendulumFromUpright;
