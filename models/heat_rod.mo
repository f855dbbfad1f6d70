// The heat equation u_t = u_xx on a rod whose ends are kept cold, by the method of lines:
// arrays, for-equations, initial equations.  Try -p n=200.
// reference: u[21] = 0.372896937161 at t = 0.1, tolerance 1e-4
// from: closed form of the equations in n points
model HeatRod "heat conduction in a rod, by the method of lines"
  constant Real pi = 3.141592653589793;
  parameter Integer n = 40 "intervals";
  parameter Real h = 1/n;
  Real u[n + 1];
initial equation
  for i in 2:n loop
    u[i] = sin(pi*(i - 1)*h);
  end for;
equation
  u[1] = 0;
  for i in 2:n loop
    der(u[i]) = (u[i - 1] - 2*u[i] + u[i + 1])/h^2;
  end for;
  u[n + 1] = 0;
  annotation(experiment(StopTime = 0.2));
end HeatRod;
