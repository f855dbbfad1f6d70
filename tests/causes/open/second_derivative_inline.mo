// cause: text
// culprits: x, der
// why: der(der(x)) is not part of the language: a velocity must be introduced.
model SecondDerivativeInline
  parameter Real m = 1, k = 4;
  Real x(start = 1, fixed = true);
equation
  m*der(der(x)) = -k*x;
  annotation(experiment(StopTime = 1));
end SecondDerivativeInline;
