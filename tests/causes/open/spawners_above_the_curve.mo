// cause: impasse | no_solution
// culprits: s, demand
// time: 3.6787944 +- 1e-2
// why: the recruits s exp(-s) are at most 1/e, and the demand 0.1 t gets there at t = 10/e; dF/ds = (1 - s) exp(-s) is zero
//     there, and no stock gives more.
model SpawnersAboveTheCurve "stock that gives the recruits asked for"
  Real demand, s(start = 0), eaten(start = 0, fixed = true);
equation
  demand = 0.1*time;
  s*exp(-s) = demand;
  der(eaten) = s;
  annotation(experiment(StopTime = 6));
end SpawnersAboveTheCurve;
