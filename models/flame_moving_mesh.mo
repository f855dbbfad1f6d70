// A flame T_t = T_xx + D (1 + a - T) exp(-d/T) that ignites at the left end and runs to the right,
// on a mesh that moves with it: the points minimise how fast T and x change, x' + T_x T' = 0 beside
// T' - T_x x' = f, in which two derivatives stand in each equation.  A penalty on x' that
// differs from that of the neighbours keeps points apart.  After Petzold's case 1.
// reference: T[1] = 1.075061549 at t = 0.2, tolerance 1e-4
// from: extrapolation method at 1e-11 (tests/golden/reference_values.py)
model FlameMovingMesh "a flame on a mesh that moves with it"
  parameter Integer n = 40 "intervals";
  parameter Real a = 1, d = 30, R = 5;
  parameter Real D = R*exp(d)/(a*d), penalty = 1e-3, push = 1e-6 "between neighbours";
  Real T[n + 1], x[n + 1], slope[n + 1], f[n + 1];
initial equation
  for j in 1:n loop
    T[j] = 1;
  end for;
  for j in 2:n loop
    x[j] = (j - 1)/n;
  end for;
equation
  x[1] = 0;
  slope[1] = 0;
  f[1] = 2*(T[2] - T[1])/(x[2] - x[1])^2 + D*(1 + a - T[1])*exp(-d/T[1]);
  der(T[1]) = f[1];
  for j in 2:n loop
    slope[j] = (T[j + 1] - T[j - 1])/(x[j + 1] - x[j - 1]);
    f[j] = 2*((T[j + 1] - T[j])/(x[j + 1] - x[j]) - (T[j] - T[j - 1])/(x[j] - x[j - 1]))
      /(x[j + 1] - x[j - 1]) + D*(1 + a - T[j])*exp(-d/T[j]);
    der(T[j]) - slope[j]*der(x[j]) = f[j];
    der(x[j]) + slope[j]*der(T[j]) = penalty*((der(x[j + 1]) - der(x[j]))/(x[j + 1] - x[j])^2
      - (der(x[j]) - der(x[j - 1]))/(x[j] - x[j - 1])^2) + push*(1/(x[j] - x[j - 1])^2
      - 1/(x[j + 1] - x[j])^2);
  end for;
  x[n + 1] = 1;
  T[n + 1] = 1;
  slope[n + 1] = 0;
  f[n + 1] = 0;
  annotation(experiment(StopTime = 0.29));
end FlameMovingMesh;
