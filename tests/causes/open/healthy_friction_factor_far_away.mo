// cause: none
// expect: v(20) = 2.094021414 +- 1e-4; f(20) = 0.0182057868 +- 1e-5
// why: Colebrook's equation has one solution, 0.0267 at the start; the guess 0.9 is far away. v by a Runge-Kutta method with the friction
//     factor by fixed-point iteration, steps of 0.01 and 0.02 s.
model HealthyFrictionFactorFarAway "water in a pipe is accelerated by a constant difference of pressure"
  parameter Real D = 0.1, nu = 1e-6, eps = 4e-4, L = 50, rho = 1000, dp = 2e4;
  Real v(start = 0.2, fixed = true), f(start = 0.9), Re;
equation
  Re = v*D/nu;
  1/sqrt(f) = -2*log10(eps/3.7 + 2.51/(Re*sqrt(f)));
  der(v) = dp/(rho*L) - f/(2*D)*v*abs(v);
  annotation(experiment(StopTime = 20));
end HealthyFrictionFactorFarAway;
