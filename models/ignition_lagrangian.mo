// A gas in a closed cylinder whose centre was heated: temperature T, radius r and pressure p over the
// mass psi between the axis and r.  The pressure is the same everywhere, and no boundary condition is
// given for it: it follows from the radius of the vessel.  The equation of energy contains two
// derivatives in time.  p by forward, r by backward, T by central differences.
// reference: p[1] = 1.246541129 at t = 0.2, tolerance 1e-5
// reference: T[2] = 2.378709793 at t = 0.2, tolerance 1e-5
// from: extrapolation method at 1e-12 with r and p eliminated (tests/golden/reference_values.py)
model IgnitionLagrangian "a heated gas in a closed vessel, Lagrangian coordinates"
  parameter Integer N = 30 "intervals";
  parameter Real cp = 3.5, lambda = 0.2 "conductivity", R = 1 "radius", Tw = 1 "wall";
  parameter Real dpsi = 0.5/N "mass by interval";
  Real T[N + 1](each start = 1) "temperature", r[N + 1](each start = 1) "radius";
  Real p[N + 1](each start = 1) "pressure", rho[N + 1](each start = 1) "density";
  Real flux[N] "of heat";
  Real mass "in the vessel";
initial equation
  for j in 2:N loop
    T[j] = 1 + 2*exp(-40*((j - 1)/N)^2);
  end for;
equation
  r[1] = 0;
  T[1] = T[2];
  for j in 1:N + 1 loop
    p[j] = rho[j]*T[j];
  end for;
  for j in 1:N loop
    p[j + 1] - p[j] = 0;
    r[j + 1]^2 - r[j]^2 = 2*dpsi/rho[j + 1];
    flux[j] = lambda*(rho[j + 1] + rho[j])/2*(r[j + 1]^2 + r[j]^2)/2*(T[j + 1] - T[j])/dpsi;
  end for;
  for j in 2:N loop
    der(T[j]) - der(p[j])/(rho[j]*cp) = (flux[j] - flux[j - 1])/(cp*dpsi);
  end for;
  T[N + 1] = Tw;
  r[N + 1] = R;
  mass = sum(rho[j + 1]*(r[j + 1]^2 - r[j]^2)/2 for j in 1:N);
  annotation(experiment(StopTime = 1));
end IgnitionLagrangian;
