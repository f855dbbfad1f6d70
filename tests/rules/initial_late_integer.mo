// rule: an Integer parameter that follows from an unknown is found after the unknown, not from its
// start value: with n = 0 there would be no z
// expect y(0) = 2
// expect m(0.1) = 2.1
// expect z(0) = 1
model InitialLateInteger
  parameter Integer n(start = 5, fixed = false);
  Real y(start = 0), z(start = 1);
  Real m = n + time;
initial equation
  n = integer(y + 0.5);
equation
  y^3 + y = 10;
  z^2 = n - 1;
  annotation(experiment(StopTime = 0.1));
end InitialLateInteger;
