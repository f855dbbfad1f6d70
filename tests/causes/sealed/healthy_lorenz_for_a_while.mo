// cause: none
// expect: x(6) = -9.742121121 +- 1e-3; z(6) = 30.88600942 +- 1e-3
// why: chaotic, but over 6 time units errors grow by no more than some hundreds; computed by a fine Runge-Kutta
//     integration in Python.
model HealthyLorenzForAWhile
  parameter Real s = 10, r = 28, b = 8/3;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = s*(y - x);
  der(y) = x*(r - z) - y;
  der(z) = x*y - b*z;
  annotation(experiment(StopTime = 6, Tolerance = 1e-9));
end HealthyLorenzForAWhile;
