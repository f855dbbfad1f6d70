// cause: blow_up
// culprits: debt
// time: 10 +- 0.05
// why: der(debt) = 0.5 debt^1.2: debt^-0.2 = 1 - 0.1 t vanishes at 10.
model DebtWithGrowingInterest
  Real debt(start = 1, fixed = true), rate, paid(start = 0, fixed = true);
equation
  rate = 0.5*debt^0.2;
  der(debt) = rate*debt;
  der(paid) = 1;
  annotation(experiment(StopTime = 20));
end DebtWithGrowingInterest;
