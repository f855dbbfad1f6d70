// cause: no_solution
// culprits: dT, P
// time: 0
// why: dT = Rth P and P = P0 exp(dT/c) give dT/c = 0.48 exp(dT/c), and exp(z)/z is at least e, but 1/0.48 is 2.08: no
//     temperature is in balance with its leakage.
model LeakingTransistorWithoutMass "a die whose thermal capacity was neglected"
  parameter Real Rth = 6, P0 = 2.4, c = 30, Tau = 200;
  Real dT(start = 10), P(start = 3), Tcase(start = 25, fixed = true);
equation
  dT = Rth*P;
  P = P0*exp(dT/c);
  Tau*der(Tcase) = P - 0.1*(Tcase - 25);
  annotation(experiment(StopTime = 100));
end LeakingTransistorWithoutMass;
