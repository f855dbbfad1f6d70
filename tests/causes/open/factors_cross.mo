// cause: branch_jump | impasse
// or: z(2) = 1 +- 1e-3
// culprits: z
// time: 1 +- 1e-2
// why: z (z - x) = 0 with x = t - 1: the branches z = 0 and z = x cross at t = 1. The smooth continuation of z = x
//     ends at 1; z = 0 is another branch.
model FactorsCross "complementarity written as a product"
  Real x(start = -1, fixed = true), z(start = -1), w(start = 0, fixed = true), g;
equation
  der(x) = 1;
  z*(z - x) = 0;
  der(w) = z;
  g = z + 2*x;
  annotation(experiment(StopTime = 2));
end FactorsCross;
