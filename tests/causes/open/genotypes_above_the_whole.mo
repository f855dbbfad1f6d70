// cause: inconsistent_start
// culprits: AA, Aa, aa
// time: 0
// why: the three genotypes add up to 1 by an equation, and all three are fixed: 0.3 + 0.5 + 0.3 = 1.1. Two of them are free.
model GenotypesAboveTheWhole "random mating, frequencies of three genotypes"
  parameter Real rate = 0.5;
  Real AA(start = 0.3, fixed = true), Aa(start = 0.5, fixed = true), aa(start = 0.3, fixed = true), p;
equation
  AA + Aa + aa = 1;
  p = AA + Aa/2;
  der(AA) = rate*(p^2 - AA);
  der(Aa) = rate*(2*p*(1 - p) - Aa);
  annotation(experiment(StopTime = 10));
end GenotypesAboveTheWhole;
