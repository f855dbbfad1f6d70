// rule: homotopy leads from a simplified network to a start that is not found without
// expect q(0) = 0.8862269254527579
// expect p(0) = 2.3561944901923444
model HomotopyFindsStart
  parameter Real k = 3;
  Real q(start = -40), p(start = -300);
initial equation
  der(p) = 0;
equation
  der(p) = homotopy(tan(q^2) - 1, 3*q - 2.6586807763582736);
  p = k*q^2;
  annotation(experiment(StopTime = 0.001));
end HomotopyFindsStart;
