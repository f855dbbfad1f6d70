// rule: div truncates, rem has the sign of the dividend, mod that of the divisor
// expect a(1) = -3
// expect b(1) = -1
// expect c(1) = 1
// expect d(1) = -2
// expect e(1) = -1
// expect f(1) = -2
// expect g(1) = 1.5
model IntegerDivisionFunctions
  Integer a = div(-7, 2);
  Integer b = rem(-7, 2);
  Integer c = mod(-7, 2);
  Real d = floor(-1.5);
  Real e = ceil(-1.5);
  Integer f = integer(-1.5);
  Real g = mod(-2.5, 2);
  annotation(experiment(StopTime = 1));
end IntegerDivisionFunctions;
