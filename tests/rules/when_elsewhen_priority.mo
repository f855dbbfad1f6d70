// rule: of several branches that become true together the first counts; later ones act later
// expect y(0.4) = 0
// expect y(0.6) = 1
// expect y(0.9) = 3
model WhenElsewhenPriority
  Boolean b = 2*time >= 1;
  Integer y(start = 0, fixed = true);
equation
  when time >= 0.5 then
    y = 1;
  elsewhen b then
    y = 2;
  elsewhen time >= 0.8 then
    y = 3;
  end when;
  annotation(experiment(StopTime = 1));
end WhenElsewhenPriority;
