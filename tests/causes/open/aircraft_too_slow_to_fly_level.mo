// cause: no_solution
// culprits: alpha, lift
// time: 0
// why: the largest lift at 30 m/s is 0.5*1.2*900*16*1.2 = 10368 N, the weight 10791 N: no angle of attack carries it.
model AircraftTooSlowToFlyLevel "level flight, trimmed at every instant"
  parameter Real m = 1100, g = 9.81, S = 16, rho = 1.2, V = 30;
  Real alpha(start = 0.2), lift(start = 1e4), drag, fuel(start = 80, fixed = true), s(start = 0, fixed = true);
equation
  lift = 0.5*rho*V^2*S*1.2*sin(2*alpha);
  lift = m*g;
  drag = 0.5*rho*V^2*S*(0.03 + 1.5*sin(alpha)^2);
  der(fuel) = -1e-6*drag;
  der(s) = V;
  annotation(experiment(StopTime = 600));
end AircraftTooSlowToFlyLevel;
