// cause: text
// culprits: x, der
// why: the derivative of a delayed value needs a variable for the delayed value.
model DerivativeOfDelay
  parameter Real m = 1, k = 4;
  Real x(start = 1, fixed = true);
equation
  m*der(delay(x, 0.1)) = -k*x;
  annotation(experiment(StopTime = 1));
end DerivativeOfDelay;
