// rule: min, max, nominal, unit, quantity, displayUnit, stateSelect do not change the solution
// expect x(1) = 3
model AttributesOther
  Real x(start = 1, fixed = true, min = 0, max = 10, nominal = 5, unit = "K", quantity = "T",
    displayUnit = "degC", stateSelect = StateSelect.prefer);
equation
  der(x) = 2;
  annotation(experiment(StopTime = 1));
end AttributesOther;
