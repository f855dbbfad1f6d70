// rule: at an event in a mode of higher index, states that do not jump stay where they are
// Before, every event moved them as far as their derivatives do in 5e-9 of the run, where that is more than a tolerance.
// run solve --rtol 1e-8
// expect x(1) = 1 +- 2e-8
// expect va(1) = 0.36787944117144233 +- 1e-7
model EventImpulseDrift
  Real x(start = 0, fixed = true), va(start = 1, fixed = true), vb(start = 1, fixed = true), i;
  Boolean on = time - floor(time/0.01 + 1e-9)*0.01 < 0.005;
equation
  der(x) = if on then 2 else 0;
  der(va) = -va - i;
  der(vb) = -vb + i;
  if x < 2 then
    va = vb;
  else
    i = 0;
  end if;
  annotation(experiment(StopTime = 1));
end EventImpulseDrift;
