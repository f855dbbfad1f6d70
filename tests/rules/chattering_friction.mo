// rule: friction written with sign() holds a body where it has come to rest; it does not creep
// run solve
// run solve --method bdf
// run solve --rtol 1e-8
// expect x(6.5) = 0.1 +- 1e-5
// expect x(8) = 0.1 +- 1e-5
// expect v(8) = 0 +- 1e-3
// expect warning 'v > 0'
model ChatteringFriction
  Real x(start = 2.1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -4*x - sign(v);
  annotation(experiment(StopTime = 8));
end ChatteringFriction;
