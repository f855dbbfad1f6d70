// cause: structure | undetermined_variable
// culprits: qLoss, q, P
// why: 5 equations for 6 unknowns: the equation of qLoss was never written.
model LossesDeclaredOnly "hot water tank with a mixing valve"
  parameter Real C = 8e5, mc = 200, Tin = 10, Tmix = 40;
  Real T(start = 60, fixed = true), P, q, qLoss, x, used(start = 0, fixed = true);
equation
  C*der(T) = P - q - qLoss;
  P = if T < 55 then 6000 else 2000;
  x*T + (1 - x)*Tin = Tmix;
  q = mc*x*(T - Tin);
  der(used) = q;
  annotation(experiment(StopTime = 3600));
end LossesDeclaredOnly;
