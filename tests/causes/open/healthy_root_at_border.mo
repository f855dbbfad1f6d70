// cause: none
// expect: w(2) = 1 +- 1e-4; z(2) = 1 +- 1e-4
// why: z = sqrt((t - 1)^2) = |t - 1| touches the border of the root at t = 1; w is its integral.
model HealthyRootAtBorder
  Real d, z, w(start = 0, fixed = true), x(start = -1, fixed = true);
equation
  der(x) = 1;
  d = (time - 1)^2;
  z = sqrt(d);
  der(w) = z;
  annotation(experiment(StopTime = 2));
end HealthyRootAtBorder;
