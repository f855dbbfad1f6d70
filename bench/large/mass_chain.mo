model Chain "n masses on rods, hanging from a fixed point: 5n equations of index 3"
  parameter Integer n = 2000;
  parameter Real L = 1.0/n, m = 1.0/n, g = 9.81;
  Real x[n](start = {L*k for k in 1:n});
  Real y[n](each start = 0);
  Real vx[n](each start = 0), vy[n](each start = 0);
  Real f[n] "force of the rod above, divided by its length";
equation
  der(x) = vx;
  der(y) = vy;
  x[1]^2 + y[1]^2 = L^2;
  for k in 2:n loop
    (x[k] - x[k - 1])^2 + (y[k] - y[k - 1])^2 = L^2;
  end for;
  m*der(vx[1]) = -f[1]*x[1] + f[2]*(x[2] - x[1]);
  m*der(vy[1]) = -f[1]*y[1] + f[2]*(y[2] - y[1]) - m*g;
  for k in 2:n - 1 loop
    m*der(vx[k]) = -f[k]*(x[k] - x[k - 1]) + f[k + 1]*(x[k + 1] - x[k]);
    m*der(vy[k]) = -f[k]*(y[k] - y[k - 1]) + f[k + 1]*(y[k + 1] - y[k]) - m*g;
  end for;
  m*der(vx[n]) = -f[n]*(x[n] - x[n - 1]);
  m*der(vy[n]) = -f[n]*(y[n] - y[n - 1]) - m*g;
  annotation(experiment(StopTime = 1e-6));
end Chain;
