// rule: unknowns without start values get guesses that follow from those that have one
// A tank empties through a rough pipe.  With v = 0 the Reynolds number is zero and Colebrook's equation, where
// it is a divisor, has no value; with the friction factor f = 0.02 that is given, the pressure drop tells v.
// The values come from a fixed point iteration for f.
// run solve -t 10
// expect v(0) = 1.474114202016 +- 1e-8
// expect f(0) = 0.0225723487204 +- 1e-9
// expect no warning
model StartFollowsGuesses
  parameter Real D = 0.05, L = 100, rho = 1000, mu = 1e-3, eps = 4.5e-5, A = 1, g = 9.81;
  constant Real pi = 3.141592653589793;
  Real h(start = 5, fixed = true), v, Re, f(start = 0.02), dp;
equation
  A*der(h) = -v*pi*D^2/4;
  dp = rho*g*h;
  dp = f*L/D*rho*v^2/2;
  Re = rho*v*D/mu;
  1/sqrt(f) = -2*log10(eps/(3.7*D) + 2.51/(Re*sqrt(f)));
end StartFollowsGuesses;
