// cause: none
// expect: c(5) = 0.995203037 +- 1e-5; a(5) = 1.05305521e-4 +- 1e-6; d(5) = 4.34063882e-3 +- 1e-6
// why: a linear chain with rates from 1e8 to 1e-3 per second; by its eigenvalues with 60 digits.
model HealthyProtonsAreFast "acid, base, product and its slow decay"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true), d(start = 0, fixed = true), r1, r2, r3;
equation
  r1 = 1e8*a - 3e7*b;
  r2 = 2*b;
  r3 = 1e-3*c;
  der(a) = -r1;
  der(b) = r1 - r2;
  der(c) = r2 - r3;
  der(d) = r3;
  annotation(experiment(StopTime = 5));
end HealthyProtonsAreFast;
