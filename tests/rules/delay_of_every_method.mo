// rule: the past that delay() reads is as accurate as the run, whichever method is used
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// y' = -y(t - 1): on [k - 1, k] a polynomial of degree k.
// expect y(1.7) = -0.7 + 0.7**2/2 +- 2e-5
// expect y(2) = -0.5 +- 2e-5
// expect y(3) = -1/6 +- 2e-5
// expect y(6) = -41/720 +- 2e-5
model DelayOfEveryMethod
  Real y(start = 1, fixed = true), z;
equation
  der(y) = -delay(y, 1);
  z = delay(y*y, 2);
  annotation(experiment(StopTime = 6, Tolerance = 1e-6));
end DelayOfEveryMethod;
