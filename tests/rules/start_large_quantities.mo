// rule: quantities of 1e33 without start and nominal values are found from the states
// run solve --rtol 1e-8
// run solve --rtol 1e-8 --method bdf
// expect x(1e8) = 7.309757132e10 +- 1e6
// expect y(1e8) = 1.3052305538e11 +- 1e6
model StartLargeQuantities "a circular orbit: x = r0*cos(w*time) with w^2 = mu/r0^3"
  parameter Real mu = 1.32712440018e20, r0 = 1.495978707e11;
  Real x(start = r0, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = sqrt(mu/r0), fixed = true), r3;
equation
  r3 = (x^2 + y^2)^1.5;
  der(x) = u;
  der(y) = v;
  der(u) = -mu*x/r3;
  der(v) = -mu*y/r3;
  annotation(experiment(StopTime = 1e8));
end StartLargeQuantities;
