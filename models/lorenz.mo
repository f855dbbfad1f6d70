// The Lorenz attractor.  It is chaotic: errors grow by a factor e in about one unit of time, so
// that results of different computers differ after t = 30.
// reference: x = -6.51211369942 at t = 5, tolerance 1e-2
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model Lorenz "Lorenz' strange attractor"
  parameter Real sigma = 10, rho = 28, beta = 8/3;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = sigma*(y - x);
  der(y) = x*(rho - z) - y;
  der(z) = x*y - beta*z;
  annotation(experiment(StopTime = 30, Tolerance = 1e-8));
end Lorenz;
