// cause: no_solution
// culprits: v, i
// time: 0
// why: v (12 - v)/0.8 is at most 12^2/(4*0.8) = 45 W, and the charger takes 60 W from the first moment on.
model ChargerOnLongCable "a charger of constant power at the end of a thin cable"
  parameter Real E = 12, Rcable = 0.8, P = 60, eta = 0.9, cap = 36000;
  Real v(start = 10), i(start = 5), loss, charge(start = 0, fixed = true), Tc(start = 20, fixed = true);
equation
  v*i = P;
  v = E - Rcable*i;
  loss = Rcable*i^2;
  cap*der(charge) = eta*P;
  40*der(Tc) = loss - 0.5*(Tc - 20);
  annotation(experiment(StopTime = 60));
end ChargerOnLongCable;
