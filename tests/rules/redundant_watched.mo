// rule: an equation between algebraic variables that follows from others is dropped with a warning
// expect warning 'this equation is redundant: it follows from the others.  It is not solved'
// expect i1(1) = exp(-0.5)/2
model RedundantWatched
  Real x(start = 1, fixed = true), i1, i2, v;
equation
  i1 + i2 = 0;
  -i1 - i2 = 0;
  i1 = v/2;
  v = x;
  der(x) = -i1;
  annotation(experiment(StopTime = 1));
end RedundantWatched;
