// cause: none
// expect: z(2) = 1.00000049999988 +- 1e-5; w(2) = 1.000008101 +- 1e-4
// why: z^2 = (t - 1)^2 + 1e-6, z > 0: the other branch comes as near as 2e-3 at t = 1 and goes away; w is the
//     integral of z.
model HealthyNearImpasse "turns before it would be too late"
  Real x(start = 1.000001, fixed = true), z(start = 1), w(start = 0, fixed = true), slope;
equation
  slope = 2*(time - 1);
  der(x) = slope;
  z^2 = x;
  der(w) = z;
  annotation(experiment(StopTime = 2));
end HealthyNearImpasse;
