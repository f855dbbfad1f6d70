// Reaction and diffusion on a line: a few shapes, each some hundred times.
model Lattice
  parameter Integer n = 500;
  parameter Real D = 0.02*n*n, a = 1, b = 3;
  Real u[n](each start = 1), v[n](each start = 3);
equation
  der(u[1]) = a + u[1]^2*v[1] - (b + 1)*u[1] + D*(1 - 2*u[1] + u[2]);
  der(v[1]) = b*u[1] - u[1]^2*v[1] + D*(3 - 2*v[1] + v[2]);
  for k in 2:n - 1 loop
    der(u[k]) = a + u[k]^2*v[k] - (b + 1)*u[k] + D*(u[k - 1] - 2*u[k] + u[k + 1]);
    der(v[k]) = b*u[k] - u[k]^2*v[k] + D*(v[k - 1] - 2*v[k] + v[k + 1]);
  end for;
  der(u[n]) = a + u[n]^2*v[n] - (b + 1)*u[n] + D*(u[n - 1] - 2*u[n] + 1);
  der(v[n]) = b*u[n] - u[n]^2*v[n] + D*(v[n - 1] - 2*v[n] + 3);
end Lattice;
