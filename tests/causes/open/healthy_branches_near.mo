// cause: none
// run: --rtol 1e-4
// expect: z(2) = -1 +- 1e-2
// why: z = -sqrt((t - 1)^2 + 1e-8): the branches +z and -z come as near as 2e-4.
model HealthyBranchesNear
  Real x(start = 0, fixed = true), z(start = -1), y;
equation
  der(x) = z;
  z^2 = (time - 1)^2 + 1e-8;
  y = 2*z;
  annotation(experiment(StopTime = 2));
end HealthyBranchesNear;
