// cause: none
// expect: x(4) = 0.04551022386 +- 2e-4
// why: stick and slip with a regularised friction of slope 15/1e-3, eigenvalue -1.5e4 while it sticks; by a Runge-Kutta method with steps of
//     1e-5 and 2e-5, which agree to 1e-11.
model HealthyViolinString "mass on a belt, steep but smooth friction"
  parameter Real k = 100, belt = 0.1, Fc = 8, Fs = 15, vs = 0.05, v0 = 1e-3;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), slip, F;
equation
  slip = belt - v;
  F = (Fc + (Fs - Fc)*exp(-(slip/vs)^2))*tanh(slip/v0);
  der(x) = v;
  der(v) = F - k*x - 0.5*v;
  annotation(experiment(StopTime = 4));
end HealthyViolinString;
