// rule: an initial equation may give the derivative of a variable that only the output needs
// z = x + y + sin(t) and y^3 + y = x are algebraic; z' = x' + x'/(3 y^2 + 1) + cos(t) is given.
// expect x(0) = 2
// expect y(0) = 1
// expect z(0) = 3
// expect no warning
model StartSlopeAlgebraic
  Real x(start = 1), y(start = 0.5), z;
equation
  der(x) = -x;
  y^3 + y = x;
  z = x + y + sin(time);
initial equation
  der(z) = -1.5;
  annotation(experiment(StopTime = 1));
end StartSlopeAlgebraic;
