// cause: blow_up
// culprits: n, T
// time: 3.6173947 +- 3e-2
// why: the temperature coefficient of the reactivity has the wrong sign: n = 1 - 0.2 T + 0.25 T^2 along the solution, and T' =
//     n, so that T is infinite at the integral of 1/(1 - 0.2 T + 0.25 T^2) over all T > 0, 3.6174.
model ReactorWithPositiveCoefficient "power excursion of a reactor"
  parameter Real a = -0.2, alpha = 0.5;
  Real n(start = 1, fixed = true), T(start = 0, fixed = true), rho;
equation
  rho = a + alpha*T;
  der(n) = rho*n;
  der(T) = n;
  annotation(experiment(StopTime = 10));
end ReactorWithPositiveCoefficient;
