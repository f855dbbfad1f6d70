// cause: none
// expect: sound(0.05) = 0.7619128206 +- 2e-3
// why: three damped oscillators, each in closed form.
model HealthyBellInHertz
  parameter Real w[3] = {2000, 5400, 8900}, d[3] = {10, 30, 60};
  Real x[3](each start = 1, each fixed = true), v[3](each start = 0, each fixed = true), sound;
equation
  for k in 1:3 loop
    der(x[k]) = v[k];
    der(v[k]) = -2*d[k]*v[k] - w[k]^2*x[k];
  end for;
  sound = x[1] + x[2] + x[3];
  annotation(experiment(StopTime = 0.05));
end HealthyBellInHertz;
