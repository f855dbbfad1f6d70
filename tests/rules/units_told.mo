// rule: sides of equations, terms and branches with different units are told; the solution stays
// expect b(1) = 3
// expect warning 21 'm.s-1 and m'
// expect warning 22 'm and s'
// expect warning 24 'm and 1000.m'
// expect warning 25 'm2.kg.s-2 and m.kg.s-2'
// expect warning 19 'm.s-1 and m'
// run solve
model UnitsTold
  type Length = Real(unit = "m");
  Length x, a, b;
  Real v(unit = "m/s");
  parameter Real tau(unit = "s") = 2;
  Real far(unit = "km") = 3;
  Real e(unit = "J"), e2(unit = "J");
  parameter Real f(unit = "N") = 1;
  parameter Real m(unit = "kg") = 2;

  Real w(unit = "m/s") = x;
equation
  v = x;
  a = x + tau - 2;
  der(x) = 1;
  b = far;
  e = f;
  e2 = m*v^2;
  annotation(experiment(StopTime = 1));
end UnitsTold;
