// Burgers' equation u_t + u u_x = eps u_xx steepens into a front; the grid points move to where
// the solution is steep.  Derivatives of u and x stand in the same equation: implicit.
// reference: x[11] = 0.536090135518 at t = 0.5, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model MovingMesh "Burgers' equation on a grid that moves with the front"
  constant Real pi = 3.141592653589793;
  parameter Integer n = 20 "moving points";
  parameter Real eps = 0.02, tau = 0.05 "how fast the grid follows";
  Real u[n + 2], x[n + 2];
  Real m[n + 1] "arc length by unit of x";
initial equation
  for i in 2:n + 1 loop
    x[i] = (i - 1)/(n + 1);
    u[i] = sin(2*pi*(i - 1)/(n + 1)) + 0.5*sin(pi*(i - 1)/(n + 1));
  end for;
equation
  x[1] = 0;
  u[1] = 0;
  for i in 1:n + 1 loop
    m[i] = sqrt(1 + ((u[i + 1] - u[i])/(x[i + 1] - x[i]))^2);
  end for;
  for i in 2:n + 1 loop
    tau*der(x[i]) = m[i]*(x[i + 1] - x[i]) - m[i - 1]*(x[i] - x[i - 1]);
    der(u[i]) - (u[i + 1] - u[i - 1])/(x[i + 1] - x[i - 1])*(der(x[i]) - u[i]) =
      2*eps*((u[i + 1] - u[i])/(x[i + 1] - x[i]) - (u[i] - u[i - 1])/(x[i] - x[i - 1]))
      /(x[i + 1] - x[i - 1]);
  end for;
  x[n + 2] = 1;
  u[n + 2] = 0;
  annotation(experiment(StopTime = 1));
end MovingMesh;
