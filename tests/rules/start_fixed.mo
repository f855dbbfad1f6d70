// rule: fixed = true makes start the value at the start, also of an algebraic variable
// y(0) = 6 and y = 2 x + 2 give x(0) = 2
// expect x(0) = 2
// expect x(1) = 3
// expect z(1) = 5
model StartFixed
  Real x, y(start = 6, fixed = true), z(start = 4, fixed = true);
equation
  der(x) = 1;
  der(z) = 1;
  y = 2*x + 2;
  annotation(experiment(StopTime = 1));
end StartFixed;
