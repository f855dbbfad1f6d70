// cause: none
// expect: x1(5) = -0.263067693 +- 1e-4; y1(5) = 0.220483202 +- 1e-4; x3(5) = 1.057101150 +- 1e-4
// why: three bodies chase each other on an eight (Chenciner and Montgomery); computed by a fine Runge-Kutta
//     integration in Python.
model HealthyFigureEight
  Real x1(start = 0.97000436, fixed = true), y1(start = -0.24308753, fixed = true);
  Real x2(start = -0.97000436, fixed = true), y2(start = 0.24308753, fixed = true);
  Real x3(start = 0, fixed = true), y3(start = 0, fixed = true);
  Real u1(start = 0.466203685, fixed = true), v1(start = 0.43236573, fixed = true);
  Real u2(start = 0.466203685, fixed = true), v2(start = 0.43236573, fixed = true);
  Real u3(start = -0.93240737, fixed = true), v3(start = -0.86473146, fixed = true);
  Real r12, r13, r23;
equation
  r12 = sqrt((x1 - x2)^2 + (y1 - y2)^2);
  r13 = sqrt((x1 - x3)^2 + (y1 - y3)^2);
  r23 = sqrt((x2 - x3)^2 + (y2 - y3)^2);
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(x3) = u3;
  der(y3) = v3;
  der(u1) = (x2 - x1)/r12^3 + (x3 - x1)/r13^3;
  der(v1) = (y2 - y1)/r12^3 + (y3 - y1)/r13^3;
  der(u2) = (x1 - x2)/r12^3 + (x3 - x2)/r23^3;
  der(v2) = (y1 - y2)/r12^3 + (y3 - y2)/r23^3;
  der(u3) = (x1 - x3)/r13^3 + (x2 - x3)/r23^3;
  der(v3) = (y1 - y3)/r13^3 + (y2 - y3)/r23^3;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end HealthyFigureEight;
