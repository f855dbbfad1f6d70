// rule: of several solutions the one is taken to which simplified leads
// expect x(0) = -0.99990912171523
// expect u(0) = 0.99990912171523
model HomotopyChoosesSolution
  Real x, u, s(start = 0, fixed = true);
equation
  x = homotopy(tanh(5*x + s), -1);
  u = homotopy(tanh(5*u + s), 1);
  der(s) = -s;
  annotation(experiment(StopTime = 0.1));
end HomotopyChoosesSolution;
