// cause: no_solution
// culprits: S, demand
// time: 0
// why: the uptake Vmax S^2/(K^2 + S^2) is below Vmax = 1 for every S, and the cell is to take up 1.3.
model HillUptakeAboveCapacity "quasi-steady substrate level of a cell whose need is given"
  parameter Real Vmax = 1, K = 0.4, need = 1.3;
  Real X(start = 0.1, fixed = true), S(start = 1), demand, food(start = 10, fixed = true);
equation
  demand = need;
  Vmax*S^2/(K^2 + S^2) = demand;
  der(X) = 0.2*X;
  der(food) = -demand*X;
  annotation(experiment(StopTime = 5));
end HillUptakeAboveCapacity;
