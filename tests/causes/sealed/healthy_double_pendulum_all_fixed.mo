// cause: none
// expect: x1(1) = -0.585168392 +- 1e-3; y1(1) = -0.810911803 +- 1e-3;
//     x2(1) = -1.44481885 +- 1e-3; y2(1) = -1.321794461 +- 1e-3
// why: index 3; all eight start values are fixed, four more than are free, and they agree with the lengths and with
//     each other. Computed with two angles instead, by a fine Runge-Kutta integration in Python.
model HealthyDoublePendulumAllFixed "two rods of 1 m, let go from the horizontal"
  parameter Real g = 9.81;
  Real x1(start = 1, fixed = true), y1(start = 0, fixed = true), x2(start = 2, fixed = true), y2(start = 0, fixed = true);
  Real u1(start = 0, fixed = true), v1(start = 0, fixed = true), u2(start = 0, fixed = true), v2(start = 0, fixed = true);
  Real S1, S2;
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -S1*x1 + S2*(x2 - x1);
  der(v1) = -S1*y1 + S2*(y2 - y1) - g;
  der(u2) = -S2*(x2 - x1);
  der(v2) = -S2*(y2 - y1) - g;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end HealthyDoublePendulumAllFixed;
