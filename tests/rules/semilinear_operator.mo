// rule: semiLinear(x, a, b) is a x for x >= 0 and b x below
// expect y(0.5) = -1.5
// expect y(2) = 2
model SemilinearOperator
  Real y = semiLinear(time - 1, 2, 3);
  annotation(experiment(StopTime = 2));
end SemilinearOperator;
