// cause: bad_scaling
// or: x(40) = 0.36847227 +- 1e-3
// culprits: x
// why: one cell in a vat is 1e-15 of the final mass; the absolute tolerance is 1e-9, and x doubles 50 times before
//     it is seen. x = 1/(1 + (1e15 - 1) exp(-0.85 t)).
model YeastFromACell "fermentation, in shares of the final mass and hours"
  Real x(start = 1e-15, fixed = true), sugar(start = 100, fixed = true), growth;
equation
  growth = 0.85*x*(1 - x);
  der(x) = growth;
  der(sugar) = -50*growth;
  annotation(experiment(StopTime = 40));
end YeastFromACell;
