// Susceptible, infectious, recovered: an epidemic in a town of a million.  The recovered follow
// from the sum.  Try -p beta=0.2.
// reference: I = 297658.849427 at t = 60, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model SIREpidemic "an epidemic: susceptible, infectious, recovered"
  parameter Real N = 1e6, beta(unit = "1/d") = 0.3, gamma(unit = "1/d") = 0.1;
  Real S(start = N - 10, fixed = true, nominal = 1e6), I(start = 10, fixed = true);
  Real R, infections(unit = "1/d");
equation
  infections = beta*S*I/N;
  der(S) = -infections;
  der(I) = infections - gamma*I;
  S + I + R = N;
  annotation(experiment(StopTime = 180));
end SIREpidemic;
