// cause: none
// expect: T(10) = 267.404007 +- 1e-3
// why: it begins in equilibrium, T0 = (S (1 - a)/(4 eps sigma))^0.25 = 286.895, though the guess is 5000; at t = 1 the sun becomes weaker. By a
//     Runge-Kutta method from there.
model HealthyPlanetAtRest "energy balance of a planet, in years, steady at the start"
  parameter Real a = 0.3, eps = 0.62, sigma = 5.670374e-8, C = 10;
  Real T(start = 5000, nominal = 300), S, absorbed, emitted;
initial equation
  der(T) = 0;
equation
  S = if time < 1 then 1361 else 1000;
  absorbed = S/4*(1 - a);
  emitted = eps*sigma*T^4;
  C*der(T) = absorbed - emitted;
  annotation(experiment(StopTime = 10));
end HealthyPlanetAtRest;
