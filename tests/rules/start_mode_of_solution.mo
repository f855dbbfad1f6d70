// rule: initial equations hold in the mode of their solution, also if the start values are in another one
// expect q(0) = 2
// expect u(0) = 200
// expect f(0) = 200
model StartModeOfSolution
  Real q(start = 1), f, u;
equation
  der(q) = -q;
  der(f) = u - f;
  u = if q > 1.5 then 100*q else q;
initial equation
  q^3 + q = 10;
  der(f) = 0;
  annotation(experiment(StopTime = 1));
end StartModeOfSolution;
