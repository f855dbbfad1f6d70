// rule: an equation between states that follows from the others is an invariant, and is kept
// expect warning 'this equation is redundant: it follows from the others up to start values'
// expect energy(100) = 1 +- 1e-10
model RedundantInvariant
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = 1);
  Real energy = (u^2 + v^2 + x^2 + y^2)/2;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x;
  der(v) = -y;
  energy = 1;
  annotation(experiment(StopTime = 100, Tolerance = 1e-6));
end RedundantInvariant;
