// cause: none
// expect: phi(20) = -1.64456751651 +- 1e-7; w(20) = -0.827577840943 +- 1e-7
// why: a tolerance of 1e-11 is small, but possible; phi = 2 asin(sin(1) sn(K + t)), and Runge-Kutta in Python.
model HealthyElevenDigits "pendulum with an amplitude of 2 rad"
  Real phi(start = 2, fixed = true), w(start = 0, fixed = true);
equation
  der(phi) = w;
  der(w) = -sin(phi);
  annotation(experiment(StopTime = 20, Tolerance = 1e-11));
end HealthyElevenDigits;
