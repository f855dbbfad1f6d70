// cause: bounds
// culprits: eta
// time: 6 +- 2e-2
// why: Pout/Pin = 0.7 + 0.05 t is more than the declared maximum 1 after t = 6.
model EfficiencyAboveOne "efficiency of a turbine from two measured curves"
  Real Pin, Pout, eta(min = 0, max = 1), E(start = 0, fixed = true), lost;
equation
  Pin = 200 + 10*sin(time);
  Pout = Pin*(0.7 + 0.05*time);
  eta = Pout/Pin;
  lost = Pin - Pout;
  der(E) = Pout;
  annotation(experiment(StopTime = 10));
end EfficiencyAboveOne;
