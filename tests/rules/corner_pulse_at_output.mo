// rule: a pulse without events that begins at an output point is not lost
// run solve --method limex
// run solve --method radau
// run solve --method bdf
// expect x(9) = 0
// expect x(10) = 1 +- 1e-4
// expect s(10) = 10
model CornerPulseAtOutput
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = noEvent(if s > 9 and s < 9.001 then 1000 else 0);
  annotation(experiment(StopTime = 10));
end CornerPulseAtOutput;
