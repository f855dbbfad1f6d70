// cause: impasse
// culprits: theta, delta
// time: 5.3575888 +- 5e-3
// why: theta = delta exp(theta) has a solution as long as delta <= 1/e; delta = 0.1 + 0.05 t gets there at
//     20 (1/e - 0.1), with theta = 1.
model SemenovIgnitionLimit "heap of coal, its heat capacity neglected; the heap grows until it ignites"
  Real delta, theta(start = 0.1), lost(start = 0, fixed = true), ash(start = 0, fixed = true), rate;
equation
  delta = 0.1 + 0.05*time;
  rate = delta*exp(theta);
  theta = rate;
  der(lost) = theta;
  der(ash) = 0.01*rate*(1 - ash);
  annotation(experiment(StopTime = 10));
end SemenovIgnitionLimit;
