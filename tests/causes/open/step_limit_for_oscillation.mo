// cause: too_much_work
// run: --max_steps 50 -n 1
// why: 500 periods with 50 steps in one output interval.
model StepLimitForOscillation
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), E, P;
equation
  der(x) = v;
  der(v) = -x - 0.01*v;
  E = 0.5*(x^2 + v^2);
  P = 0.01*v^2;
  annotation(experiment(StopTime = 3141.6));
end StepLimitForOscillation;
