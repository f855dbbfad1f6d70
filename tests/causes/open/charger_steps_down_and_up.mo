// cause: contradiction | no_solution
// culprits: total, charge
// time: 7 +- 1e-3
// why: the car is charged with 20 A, with 10 A if the total is above 32 A. The house takes 5 + t: from t = 7 on 20 A make the
//     total 32 and more, so that 10 A follow, with which it is 22, so that 20 A follow: neither is possible.
model ChargerStepsDownAndUp "load management without memory"
  parameter Real limit = 32;
  Real house, charge, total, energy(start = 0, fixed = true);
equation
  house = 5 + time;
  charge = if total > limit then 10 else 20;
  total = house + charge;
  der(energy) = 0.23*charge;
  annotation(experiment(StopTime = 12));
end ChargerStepsDownAndUp;
