// cause: none
// expect: pH(6) = 12.301030056 +- 1e-4; m(6) = 11.2245 +- 2e-3
// why: the charge balance is monotonic in pH and has one solution, found by bisection; at the equivalence point, t = 5,
//     the pH rises by 5 within 0.2 s, and the slope of the balance is as small as 3e-5. m is an integral.
model HealthyTitration "acetic acid is titrated with soda lye"
  parameter Real c = 0.1, Ka = 1.8e-5, Tm = 0.5;
  Real base, h, oh, a, pH(start = 3), m(start = 2.87527706, fixed = true);
equation
  base = 0.02*time;
  h = 10^(-pH);
  oh = 10^(pH - 14);
  a = c*Ka/(Ka + h);
  base + h = oh + a;
  Tm*der(m) = pH - m;
  annotation(experiment(StopTime = 6));
end HealthyTitration;
