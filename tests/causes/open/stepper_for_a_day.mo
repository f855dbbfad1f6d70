// cause: too_much_work
// run: --timeout 0.5
// why: 20000 steps of a motor in each second of a day: 1.7e9 steps, each of them an event.
model StepperForADay "a stepping motor whose steps are resolved, for a day"
  Real w(start = 0, fixed = true), torque;
  Integer step;
equation
  step = integer(floor(20000*time));
  torque = if mod(step, 2) == 0 then 1 else -1;
  der(w) = torque - 0.1*w;
  annotation(experiment(StopTime = 86400));
end StepperForADay;
