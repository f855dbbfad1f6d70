// rule: Boolean, Integer and enumeration variables have ordinary equations; no when is needed
// expect b(0.5) = true
// expect n(0.5) = 2
// expect m(0.5) = 4
// expect c(0.5) = false
// expect b(1.5) = false
// expect m(1.5) = 2
// expect c(1.5) = true
model DiscreteEquations
  Boolean b, c;
  Integer n, m;
equation
  m = 2*n;
  n = if b then 2 else 1;
  c = not b;
  b = time < 1;
  annotation(experiment(StopTime = 2));
end DiscreteEquations;
