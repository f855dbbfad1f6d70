// rule: a division by zero stops the run; the equation's text is shown
// expect exit 1
// expect error '/divisor'
model ErrorDivisionByZero
  Real divisor = if time < 0.5 then 1 else 0;
  Real y;
equation
  y = (2 + time)/divisor;
  annotation(experiment(StopTime = 1));
end ErrorDivisionByZero;
