// rule: where the branches of a relation meet as it changes, rounding errors make no contradiction
// expect y(0.5) = 0.5
// expect y(2) = 1.5
// expect s(2) = 1.75
model RelationBranchesMeet
  Real y, s(start = 0, fixed = true);
equation
  y = if y > 1 then 0.5*time + 0.5 else time;
  der(s) = y;
  annotation(experiment(StopTime = 2));
end RelationBranchesMeet;
