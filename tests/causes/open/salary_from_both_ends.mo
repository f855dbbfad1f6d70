// cause: structure
// culprits: gross, net, tax, insurance
// why: gross, net and tax are tied by three equations that leave out the insurance, which no equation gives.
model SalaryFromBothEnds
  Real gross, net, tax, insurance, saved(start = 0, fixed = true);
equation
  gross = 3000 + 10*time;
  tax = 0.2*gross;
  net = gross - tax;
  net + tax = gross;
  der(saved) = net - insurance;
  annotation(experiment(StopTime = 5));
end SalaryFromBothEnds;
