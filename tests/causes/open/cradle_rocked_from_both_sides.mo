// cause: event_iteration
// culprits: x
// time: 1 +- 1e-6
// why: at x = 1 it is put to 0, which is below 0.5, where it is put to 2, which is above 1, and so on at one instant.
model CradleRockedFromBothSides
  Real x(start = 0.6, fixed = true);
equation
  der(x) = 0.4;
  when x > 1 then
    reinit(x, 0);
  end when;
  when x < 0.5 then
    reinit(x, 2);
  end when;
  annotation(experiment(StopTime = 3));
end CradleRockedFromBothSides;
