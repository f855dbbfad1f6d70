// cause: none
// expect: x(2) = 0.08282676984 +- 1e-5; v(2) = -1.799593 +- 2e-3; F(2) = -3.458901 +- 0.1
// why: the rod is half a percent longer than the crank: x = r cos(phi) + sqrt(l^2 - r^2 sin(phi)^2), whose root goes down to a
//     tenth of r twice in each turn but never to zero; v and F are its derivatives.
model HealthyCrankAlmostFolds "crank and slider with a short rod"
  parameter Real r = 0.1, l = 0.1005, m = 0.5, w = 10;
  Real phi(start = 0, fixed = true), x(start = 0.2), v, F;
equation
  der(phi) = w;
  (x - r*cos(phi))^2 + (r*sin(phi))^2 = l^2;
  der(x) = v;
  m*der(v) = F;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end HealthyCrankAlmostFolds;
