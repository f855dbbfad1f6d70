// cause: tolerance_too_small
// run: --rtol 1e-17 --atol 1e-30
// why: a relative tolerance of 1e-17 is less than the unit roundoff of the numbers.
model RtolBelowRoundoff "stiff reaction"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c, r;
equation
  r = 1e3*a*(1 + b);
  der(a) = -r;
  der(b) = r - 10*b;
  a + b + c = 1;
  annotation(experiment(StopTime = 1));
end RtolBelowRoundoff;
