// cause: none
// expect: paid(10) = 9.007889382 +- 1e-4
// why: the tax is a broken line of the income 10 + 8 sin(t); integrated piece by piece.
model HealthyTaxBrackets
  Real income, tax, paid(start = 0, fixed = true);
equation
  income = 10 + 8*sin(time);
  tax = 0.1*max(income - 5, 0) + 0.2*max(income - 12, 0) - 0.05*min(income, 4);
  der(paid) = tax;
  annotation(experiment(StopTime = 10));
end HealthyTaxBrackets;
