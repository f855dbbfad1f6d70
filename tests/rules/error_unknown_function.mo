// rule: an unknown function is named
// expect exit 3
// expect error 7:11 'sine'
model ErrorUnknownFunction
  Real y;
equation
  y = 1 + sine(time);
  annotation(experiment(StopTime = 1));
end ErrorUnknownFunction;
