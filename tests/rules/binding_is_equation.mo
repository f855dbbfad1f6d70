// rule: Real x = e is an equation: it may be solved for something in e
// x = 2 y + 1 and x = 5 give y = 2; z = der(w) gives w
// expect y(1) = 2
// expect w(1) = 3
model BindingIsEquation
  Real y, w(start = 0, fixed = true);
  Real x = 2*y + 1;
  Real z = der(w);
equation
  x = 5;
  z = 3;
  annotation(experiment(StopTime = 1));
end BindingIsEquation;
