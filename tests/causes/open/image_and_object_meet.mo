// cause: branch_jump | impasse
// culprits: d
// time: 1 +- 1e-2
// or: d(2) = -1 +- 1e-4
// why: d^2 = (1 - t)^2 has the branches 1 - t and t - 1, which meet at t = 1; the equation does not say on which one d goes on.
model ImageAndObjectMeet
  Real d(start = 1), seen(start = 0, fixed = true);
equation
  d^2 = (1 - time)^2;
  der(seen) = d;
  annotation(experiment(StopTime = 2));
end ImageAndObjectMeet;
