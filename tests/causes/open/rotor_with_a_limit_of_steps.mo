// cause: too_much_work
// culprits: max_steps
// run: -n 1 --max_steps 500
// why: 16 000 swings of a pendulum between two output points in at most 500 steps; nothing else is wrong.
model RotorWithALimitOfSteps "needle of a compass in a strong field"
  parameter Real w = 1000;
  Real th(start = 1, fixed = true), om(start = 0, fixed = true);
equation
  der(th) = w*om;
  der(om) = -w*sin(th);
  annotation(experiment(StopTime = 100));
end RotorWithALimitOfSteps;
