// cause: none
// expect: i(20) = 0.38942982 +- 1e-3
// why: i = 1/(1 + (1e6 - 1) exp(-0.66829 t)) begins at 1e-6, a thousand times its absolute tolerance.
model HealthyEpidemicFromFew "a logistic epidemic from one in a million"
  Real i(start = 1e-6, fixed = true), sick(start = 0, fixed = true);
equation
  der(i) = 0.66829*i*(1 - i);
  der(sick) = i;
  annotation(experiment(StopTime = 20));
end HealthyEpidemicFromFew;
