// cause: inconsistent_start
// culprits: wm, wl
// time: 0
// why: the gear is rigid, wm = 5 wl; the motor is started with 100 rad/s and the load with 18, which would need 90.
model MotorAndLoadGeared "servo motor with a rigid reduction gear"
  parameter Real Jm = 2e-4, Jl = 8e-3, b = 1e-2, n = 5;
  Real wm(start = 100, fixed = true), wl(start = 18, fixed = true), tg, tau, phi(start = 0, fixed = true);
equation
  tau = 0.3*(1 - wm/300);
  Jm*der(wm) = tau - tg;
  Jl*der(wl) = n*tg - b*wl;
  wm = n*wl;
  der(phi) = wl;
  annotation(experiment(StopTime = 2));
end MotorAndLoadGeared;
