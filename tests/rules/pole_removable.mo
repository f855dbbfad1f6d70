// rule: a divisor that vanishes together with its numerator is no pole, and its change of sign stops no run
// u is the average of x over the last step of a rule that divides x^2 by x; both vanish where x does, and x^2 does
// not change its sign.
// run solve -t 4
// run solve -t 4 --rtol 1e-8
// run solve -t 4 --method bdf
// expect u(4) = cos(4)
// expect x(4) = cos(4)
// expect no warning
model PoleRemovable
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), w(start = 1), u(start = 1);
equation
  der(x) = v;
  der(v) = -x;
  w + 0.1*sin(w - x) = x;
  u = w^2/w;
end PoleRemovable;
