// rule: ^ binds tighter than the sign, and the sign of a sum looser than *
// expect a(3) = -9
// expect b(3) = -7
// expect c(3) = -18
// expect d(3) = -9
// expect e(3) = 0.125
// expect f(3) = 18
model PrecedencePowerSign
  Real x = time;
  Real a = -x^2;
  Real b = 2 - x^2;
  Real c = -2*x^2;
  Real d = -x*x "-(x*x), the same number as (-x)*x";
  Real e = 2^(-x);
  Real f = 2*x^2;
  annotation(experiment(StopTime = 3));
end PrecedencePowerSign;
