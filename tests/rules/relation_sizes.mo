// rule: relations of very different sizes do not disturb one another
// expect a(0.24) = false
// expect a(0.26) = true
// expect b(0.49) = false
// expect b(0.51) = true
// expect c(0.74) = false
// expect c(0.76) = true
// expect d(0.59) = false
// expect d(0.61) = true
// expect e(0.89) = false
// expect e(0.91) = true
// expect f(0.64) = false
// expect f(0.66) = true
model RelationSizes
  Real x(start = 0, fixed = true);
  Real z = 1e15*(1 + x);
  Boolean a = x > 0.25;
  Boolean b = 0.5 < x;
  Boolean c = z > 1.75e15;
  Boolean d = x > 0.6;
  Boolean e = 1.9e15 < z;
  Boolean f = x > 0.65;
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end RelationSizes;
