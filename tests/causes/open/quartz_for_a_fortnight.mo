// cause: too_much_work
// culprits: timeout
// run: --timeout 2
// why: 4e10 oscillations of a quartz are wanted within 2 s of computation; nothing else is wrong.
model QuartzForAFortnight "quartz with a weak nonlinearity"
  parameter Real w = 2.058874e5;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = w*y;
  der(y) = -w*(x + 0.01*x^3);
  annotation(experiment(StopTime = 1209600));
end QuartzForAFortnight;
