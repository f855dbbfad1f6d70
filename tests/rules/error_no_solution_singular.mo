// rule: no real solution near a point where the slope vanishes: reported as such, not as undetermined
// expect exit 5
// expect error 'no solution near the start values: equation "y^2 + x^2 + 1 = 0" (line 8) cannot be satisfied at t = 0; its residual remains at 1'
model ErrorNoSolutionSingular
  Real x(start = 0), y(start = 0);
equation
  der(x) = y;
  y^2 + x^2 + 1 = 0;
  annotation(experiment(StopTime = 0.1));
end ErrorNoSolutionSingular;
