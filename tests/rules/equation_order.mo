// rule: equations hold at the same time; their order and sides do not matter
// expect c(1) = 7
model EquationOrder
  Real a, b, c;
equation
  c - b = 4;
  2*time + 1 = b;
  3*a = b;
  annotation(experiment(StopTime = 1));
end EquationOrder;
