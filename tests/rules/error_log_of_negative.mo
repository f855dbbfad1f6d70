// rule: a function outside its domain stops the run; the equation's text and the value are shown
// expect exit 1
// expect error 'log(signal)'
// expect error '-1'
model ErrorLogOfNegative
  Real signal = if time < 0.5 then 1 else -1;
  Real y;
equation
  y = log(signal);
  annotation(experiment(StopTime = 1));
end ErrorLogOfNegative;
