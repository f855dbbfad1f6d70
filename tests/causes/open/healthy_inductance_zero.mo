// cause: none
// expect: i(0.1) = 1.03759766 +- 1e-5; i2(0.1) = 2.4 +- 1e-6
// why: with L2 = 0 the second branch is a resistor, i2 = u/R2; i = u/R (1 - exp(-R t/L)).
model HealthyInductanceZero "a parameter of zero changes the index of one branch"
  parameter Real R = 10, L = 0.5, R2 = 5, L2 = 0, u = 12;
  Real i(start = 0, fixed = true), i2, total;
equation
  L*der(i) = u - R*i;
  L2*der(i2) = u - R2*i2;
  total = i + i2;
  annotation(experiment(StopTime = 0.1));
end HealthyInductanceZero;
