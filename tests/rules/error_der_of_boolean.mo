// rule: only Reals have a derivative
// expect exit 3
// expect error 8
model ErrorDerOfBoolean
  Boolean b = time > 0.5;
  Real y;
equation
  y = der(b);
  annotation(experiment(StopTime = 1));
end ErrorDerOfBoolean;
