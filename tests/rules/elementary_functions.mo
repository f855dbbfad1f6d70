// rule: the elementary functions
// expect a(1) = 0.8414709848078965
// expect b(1) = 0.25
// expect c(1) = 2
// expect d(1) = 2.356194490192345
// expect e(1) = 1
model ElementaryFunctions
  Real u = 2 - time;
  Real a = sin(u) + cos(u) + tan(u) - cos(u) - tan(u);
  Real b = asin(sin(u/8)) + acos(cos(u/16)) + atan(tan(u/16));
  Real c = sqrt(4*u) + log(exp(u)) - log10(10*u);
  Real d = atan2(u, -u) "3 pi/4";
  Real e = cosh(u)^2 - sinh(u)^2 + tanh(u) - sinh(u)/cosh(u);
  annotation(experiment(StopTime = 1));
end ElementaryFunctions;
