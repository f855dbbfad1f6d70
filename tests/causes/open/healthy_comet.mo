// cause: none
// expect: x(6.283185307179586) = 0.05 +- 2e-3; v(6.283185307179586) = 6.244997998 +- 2e-2
// why: a Kepler orbit of eccentricity 0.95 and half axis 1 is closed after 2 pi; it starts and ends in the perihelion
//     0.05 with the velocity sqrt(1.95/0.05).
model HealthyComet
  Real x(start = 0.05, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true), v(start = 6.244997998, fixed = true), r;
equation
  r = sqrt(x^2 + y^2);
  der(x) = u;
  der(y) = v;
  der(u) = -x/r^3;
  der(v) = -y/r^3;
  annotation(experiment(StopTime = 6.283185307179586, Tolerance = 1e-10));
end HealthyComet;
