// rule: a state without fixed keeps its start; the guess of an algebraic variable gives way
// expect x(0) = 3
// expect y(0) = 6
// expect x(1) = 4
model StartOfStateKept
  Real x(start = 3), y(start = 100);
equation
  der(x) = 1;
  y = 2*x;
  annotation(experiment(StopTime = 1));
end StartOfStateKept;
