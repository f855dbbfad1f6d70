// rule: a start value of zero is changed where it leads to no solution; fixed values are not
// expect length(0) = 0.5
// expect ex(0) = 0.6
model StartZeroIsADefault
  Real x(start = 0.3, fixed = true), y(start = 0.4, fixed = true);
  Real length(start = 0), ex(start = 0), v;
equation
  der(x) = 0;
  der(y) = 0;
  length^2 = x^2 + y^2;
  v = der(length);
  ex = x/length;
  annotation(experiment(StopTime = 0.1));
end StartZeroIsADefault;
