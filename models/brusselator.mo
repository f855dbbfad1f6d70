// Two species react and diffuse along a line: travelling bumps.  Fixed values at both ends are
// algebraic equations.
// reference: u[11] = 0.430660675748 at t = 10, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model Brusselator "Brusselator with diffusion, by the method of lines"
  constant Real pi = 3.141592653589793;
  parameter Integer n = 20 "points inside";
  parameter Real A = 1, B = 3, alpha = 0.02;
  parameter Real c = alpha*(n + 1)^2;
  Real u[n + 2], v[n + 2];
initial equation
  for i in 2:n + 1 loop
    u[i] = 1 + sin(2*pi*(i - 1)/(n + 1));
    v[i] = 3;
  end for;
equation
  u[1] = A;
  v[1] = B/A;
  for i in 2:n + 1 loop
    der(u[i]) = A + u[i]^2*v[i] - (B + 1)*u[i] + c*(u[i - 1] - 2*u[i] + u[i + 1]);
    der(v[i]) = B*u[i] - u[i]^2*v[i] + c*(v[i - 1] - 2*v[i] + v[i + 1]);
  end for;
  u[n + 2] = A;
  v[n + 2] = B/A;
  annotation(experiment(StopTime = 10));
end Brusselator;
