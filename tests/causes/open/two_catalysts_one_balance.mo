// cause: undetermined_variable | redundant_equations
// culprits: e1, e2
// why: the amounts know e1 + e2 only; the total that was added as the fourth equation follows from the first two.
model TwoCatalystsOneBalance "A to B over two catalysts, extents from measured A"
  parameter Real k = 0.2;
  Real nA(start = 10), nB(start = 0), e1(start = 0), e2(start = 0), cost(start = 0, fixed = true);
equation
  nA = 10 - e1 - e2;
  nB = e1 + e2;
  nA + nB = 10;
  nA = 10*exp(-k*time);
  der(cost) = 2*e1 + 5*e2;
  annotation(experiment(StopTime = 10));
end TwoCatalystsOneBalance;
