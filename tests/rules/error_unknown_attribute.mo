// rule: an unknown attribute is named
// expect exit 3
// expect error 5 'strat'
model ErrorUnknownAttribute
  Real x(strat = 1);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end ErrorUnknownAttribute;
