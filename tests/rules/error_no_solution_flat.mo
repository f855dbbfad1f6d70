// rule: where a function is flat, no contradiction is reported, but that no solution was found nearby
// expect exit 5
// expect error 'no solution near the start values: y fixed at 0.5'
model ErrorNoSolutionFlat
  Real x(start = 0), y(start = 0.5, fixed = true);
equation
  der(x) = -x;
  y = exp(-(x - 800)^2);
  annotation(experiment(StopTime = 0.1));
end ErrorNoSolutionFlat;
