// rule: simplified may leave out variables, and the index may be another one there
// expect x(0) = 0.6
// expect y(0) = -0.8
model HomotopyOtherStructure
  Real x(start = 0.6, fixed = true), y, vx(start = 0, fixed = true), vy, lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  homotopy(x^2 + y^2 - 1, y + 0.7) = 0;
  annotation(experiment(StopTime = 0.1));
end HomotopyOtherStructure;
