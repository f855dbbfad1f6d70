// rule: / gives a Real, also of two Integers
// expect a(1) = 0.5
// expect b(1) = 3.5
model IntegerDivision
  parameter Integer n = 7, m = 2;
  Real a = 1/2;
  Real b = n/m;
  annotation(experiment(StopTime = 1));
end IntegerDivision;
