// cause: none
// expect: h1(60) = 1.00129896 +- 1e-4; q(60) = -1.5446e-4 +- 2e-5
// why: two tanks and the inertia of the pipe between them, friction by the square of the flow, which reverses again and again.
//     Dormand and Prince of order 8 with 1e-12.
model HealthyWaterSwingsBetweenTanks "flow that reverses, with a square law of friction"
  parameter Real A = 0.1, I = 2e5, K = 4e7, rho = 1000, g = 9.81;
  Real h1(start = 1.5, fixed = true), h2(start = 0.5, fixed = true), q(start = 0, fixed = true), p1, p2;
equation
  A*der(h1) = -q;
  A*der(h2) = q;
  p1 = rho*g*h1;
  p2 = rho*g*h2;
  I*der(q) = p1 - p2 - K*q*abs(q);
  annotation(experiment(StopTime = 60));
end HealthyWaterSwingsBetweenTanks;
