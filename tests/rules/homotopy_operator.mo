// rule: homotopy(actual, simplified) is actual, once there is a start
// expect y(0) = 2
// expect y(1) = 3
model HomotopyOperator
  Real y(start = 1);
equation
  homotopy(y^2 - (2 + time)^2, y - 5) = 0;
  annotation(experiment(StopTime = 1));
end HomotopyOperator;
