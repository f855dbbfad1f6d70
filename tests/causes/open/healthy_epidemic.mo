// cause: none
// expect: x(1) = 0.9999999064 +- 1e-5; y(1) = 0.5394829845 +- 1e-4
// why: logistic growth from 1e-6 with the rate 30: x = 1/(1 + (1e6 - 1) exp(-30 t)), 1/(1 + 999999 exp(-30)); y is
//     the integral of x, log(1 - 1e-6 + 1e-6 exp(30 t))/30.
model HealthyEpidemic "growth by six orders of magnitude, then saturation"
  parameter Real k = 30;
  Real x(start = 1e-6, fixed = true), growth, s, y(start = 0, fixed = true);
equation
  s = 1 - x;
  growth = k*x*s;
  der(x) = growth;
  der(y) = x;
  annotation(experiment(StopTime = 1));
end HealthyEpidemic;
