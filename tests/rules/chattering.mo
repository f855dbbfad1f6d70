// rule: a chattering relation does not end the run; it is reported once
// expect x(0.5) = 0.5
// expect x(3) = 0 +- 1e-3
// expect warning 'x > 0'
model Chattering
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  annotation(experiment(StopTime = 3));
end Chattering;
