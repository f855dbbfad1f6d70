// cause: none
// expect: x(2) = 1.718558178 +- 1e-3; z(2) = -0.879712259 +- 1e-3
// why: van der Pol's equation with 1e-4: x jumps from 1 to -2 and back within microseconds, but it is smooth.
//     Computed with 4e7 steps of a Runge-Kutta method in C.
model HealthyRelaxationJumps
  parameter Real eps = 1e-4;
  Real x(start = 2, fixed = true), z(start = -0.66, fixed = true);
equation
  der(x) = z;
  eps*der(z) = (1 - x^2)*z - x;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end HealthyRelaxationJumps;
