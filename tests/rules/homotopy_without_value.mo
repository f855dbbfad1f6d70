// rule: a simplified expression that has no value at the start is ignored: the actual equations are solved
// expect y(0) = 1
// expect y(1) = 0.36787944117144
model HomotopyWithoutValue
  Real x(start = 1, fixed = true), y(start = 1), z(start = 1);
equation
  der(x) = -x;
  y = homotopy(x, log(-x)*y) + 0*z;
  z^3 + z = homotopy(2*x, log(-x)*z);
  annotation(experiment(StopTime = 1));
end HomotopyWithoutValue;
