// cause: redundant_equations | undetermined_variable
// culprits: Q, Th2, Tc2
// why: the overall balance is the sum of the balances of the two sides; the equation of the heat transfer, Q = kA
//     times a mean difference of temperatures, was left out, so that Q is free.
model ExchangerOverallBalance "heat exchanger between two loops"
  parameter Real mc1 = 2, mc2 = 4, Cb = 500;
  Real Th1(start = 90, fixed = true), Tc1, Q(start = 50), Th2(start = 60), Tc2(start = 30);
equation
  Tc1 = 20;
  Q = mc1*(Th1 - Th2);
  Q = mc2*(Tc2 - Tc1);
  mc1*Th1 + mc2*Tc1 = mc1*Th2 + mc2*Tc2;
  Cb*der(Th1) = 100 - Q;
  annotation(experiment(StopTime = 100));
end ExchangerOverallBalance;
