// cause: domain_error
// culprits: beta, alpha
// time: 8.509085 +- 1e-3
// why: Snell's law as beta = asin(1.33 sin(alpha)): from alpha = asin(1/1.33) on the argument is above 1, total reflection.
model RayLeavesTheFibre "angle of a ray behind a water surface, the source is turned"
  parameter Real n = 1.33;
  Real alpha(start = 0, fixed = true), beta, x(start = 0, fixed = true);
equation
  der(alpha) = 0.1;
  beta = asin(n*sin(alpha));
  der(x) = beta;
  annotation(experiment(StopTime = 12));
end RayLeavesTheFibre;
