// The steady flow of a compressible liquid that enters a pipe: boundary-layer equations over the
// distance from the entry, which is the time of the model, in von Mises' coordinates: velocity u and
// radius r of stream tubes of equal mass flow.  The pressure has no boundary condition; it follows
// from the radius of the pipe, and its derivative stands in each momentum equation.
// reference: u[1] = 1.648785429 at t = 0.05, tolerance 1e-4
// reference: p = -0.8720982235 at t = 0.05, tolerance 1e-4
// from: extrapolation method at 1e-12 with r and p eliminated (tests/golden/reference_values.py)
model PipeEntryFlow "the entry of a pipe, in von Mises' coordinates"
  parameter Integer N = 20 "stream tubes";
  parameter Real mu = 1 "viscosity", beta = 1e-3 "compressibility", dpsi = 0.5/N;
  Real u[N](each start = 1) "in the tubes", r[N + 1](each start = 1) "between them", m[N] "middle";
  Real p(start = 0), rho(start = 1), stress[N + 1] "by radius";
initial equation
  for j in 1:N - 1 loop
    u[j] = 1;
  end for;
  p = 0;
equation
  rho = 1 + beta*p;
  r[1] = 0;
  stress[1] = 0;
  for j in 1:N loop
    r[j + 1]^2 - r[j]^2 = 2*dpsi/(rho*u[j]);
    m[j] = (r[j] + r[j + 1])/2;
    rho*u[j]*der(u[j]) + der(p) = rho*u[j]*(stress[j + 1] - stress[j])/dpsi;
  end for;
  for j in 2:N loop
    stress[j] = mu*r[j]*(u[j] - u[j - 1])/(m[j] - m[j - 1]);
  end for;
  stress[N + 1] = -mu*r[N + 1]*u[N]/(r[N + 1] - m[N]) "no slip at the wall";
  r[N + 1] = 1;
  annotation(experiment(StopTime = 0.3));
end PipeEntryFlow;
