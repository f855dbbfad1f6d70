// rule: derivatives that only a nonlinear system of equations gives are found
// expect x(0) = 1
// expect y(0) = 2
// expect a(0) = 1
// expect residual(0.01) = 0
model StartImplicitRates
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), a(start = 1, fixed = true), b(start = 2, fixed = true);
  Real residual = abs(der(y)^3 + der(x)^2 - x - y) + abs(der(x) - der(y) - 1) + abs(der(a)*der(b) - 0.3);
equation
  der(y)^3 + der(x)^2 = x + y;
  der(x) - der(y) = 1;
  der(b)^3 + der(a)^2 = 1;
  der(a)*der(b) = 0.3;
  annotation(experiment(StopTime = 0.01));
end StartImplicitRates;
