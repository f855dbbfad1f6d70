// rule: an event at the start that sets a variable has nothing to do with one that has not happened yet
// expect no warning
// expect x(0) = 3
// expect x(1) = 4
// expect x(2) = 0.5
model ReinitOfTwoEvents
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  when sample(0, 10) then
    reinit(x, 3);
  end when;
  when x > 4.5 then
    reinit(x, 0);
  end when;
  annotation(experiment(StopTime = 2));
end ReinitOfTwoEvents;
