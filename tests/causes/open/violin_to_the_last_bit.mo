// cause: tolerance_too_small
// culprits: rtol
// run: --rtol 1e-17 --atol 1e-25
// why: rtol = 1e-17 is below the roundoff of double precision.
model ViolinToTheLastBit
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x - 0.1*x^3;
  annotation(experiment(StopTime = 3));
end ViolinToTheLastBit;
