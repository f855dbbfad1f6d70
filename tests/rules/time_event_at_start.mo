// rule: a relation of time that changes right after the start is an event there
// expect x(0.5) = 0
// expect x(2) = 0
// expect y(0.5) = 0.5
model TimeEventAtStart
  Real x = if time > 0 then 0 elseif time > 1 then 2 else 1;
  Real y(start = 0, fixed = true);
equation
  der(y) = if time > 0 then 1 else 2;
  annotation(experiment(StopTime = 2));
end TimeEventAtStart;
