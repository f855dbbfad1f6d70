// rule: a start from der(x) = 0
// x' = 4 - 2 x + t: x(0) = 2, x = 1.75 + t/2 + exp(-2 t)/4
// expect x(0) = 2
// expect x(1) = 2.2838338 +- 1e-4
model InitialEquationSteady
  Real x;
initial equation
  der(x) = 0;
equation
  der(x) = 4 - 2*x + time;
  annotation(experiment(StopTime = 1));
end InitialEquationSteady;
