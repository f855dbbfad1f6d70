// rule: start values may depend on parameters that initial equations determine
// expect x(0) = 2
// expect y(0) = 5
// expect z(0) = 7
// expect g(0) = 2
// expect k(0) = 4
// expect w(0) = 3
model StartOfFreeParameter
  parameter Real c(fixed = false), e(fixed = false, start = 2), b(fixed = false);
  parameter Real d = 2*e;
  Real x(start = c, fixed = true), y(start = 2*c + 1, fixed = true), z(start = d + 1, fixed = true), g(start = c);
  Real w(start = b, fixed = true);
  discrete Real k(start = 2*c, fixed = true);
initial equation
  3*c + 1 = 7;
  e^2 = 9;
  der(w) = -3;
equation
  der(x) = -x;
  der(y) = x;
  der(z) = -z;
  der(g) = -g;
  der(w) = -w;
  when x < 1 then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end StartOfFreeParameter;
