// cause: domain_error
// culprits: x, G
// time: 0
// why: log(x) with x fixed at -2.
model LogOfNegativeStart
  Real x(start = -2, fixed = true), G, y(start = 0, fixed = true);
equation
  G = log(x);
  der(x) = 0.5 - 0.1*x;
  der(y) = G - y;
  annotation(experiment(StopTime = 1));
end LogOfNegativeStart;
