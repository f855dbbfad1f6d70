// cause: none
// expect: gut(50) = 9.072409792 +- 1e-3; blood(50) = 110.7608963 +- 1e-2
// why: linear, so that the seven doses (0, 8, ..., 48 h) add up: gut: 100 exp(-ka s), blood: 100 ka/(ka - ke) (exp(-ke s) - exp(-ka s)) with s
//     the age of the dose.
model HealthyDosesEveryEightHours "two compartments, swallowed pills"
  parameter Real ka = 1.2, ke = 0.15, dose = 100;
  Real gut(start = 100, fixed = true), blood(start = 0, fixed = true);
equation
  der(gut) = -ka*gut;
  der(blood) = ka*gut - ke*blood;
  when sample(8, 8) then
    reinit(gut, pre(gut) + dose);
  end when;
  annotation(experiment(StopTime = 50));
end HealthyDosesEveryEightHours;
