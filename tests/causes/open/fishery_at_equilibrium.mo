// cause: impasse
// culprits: N
// time: 15 +- 2e-2
// why: the stock is in equilibrium with the catch, r N (1 - N/K) = H, and H = 0.1 t rises slowly; the largest
//     sustainable catch is r K/4 = 1.5 at N = K/2, t = 15: a fold, where the two equilibria meet and vanish.
model FisheryAtEquilibrium "stock of fish under a slowly rising catch"
  parameter Real r = 1.2, K = 5, price = 3;
  Real N(start = 5), H, income(start = 0, fixed = true), effort;
equation
  H = 0.1*time;
  r*N*(1 - N/K) = H;
  effort = H/N;
  der(income) = price*H - effort;
  annotation(experiment(StopTime = 25));
end FisheryAtEquilibrium;
