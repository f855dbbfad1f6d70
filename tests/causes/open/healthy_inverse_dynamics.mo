// cause: none
// expect: F(2) = 7.066305996 +- 1e-4; v(2) = -0.4161468365 +- 1e-4
// why: the position sin(t) is prescribed; F = m x'' + d x' + k x.
model HealthyInverseDynamics "index 3, no freedom"
  parameter Real m = 2, d = 0.5, k = 10;
  Real x, v, F, P;
equation
  x = sin(time);
  der(x) = v;
  m*der(v) = F - d*v - k*x;
  P = F*v;
  annotation(experiment(StopTime = 2));
end HealthyInverseDynamics;
