// cause: none
// expect: x(31558149.5) = 147098450000 +- 3e6; y(31558149.5) = 0 +- 3e7
// why: Kepler's ellipse in metres and seconds closes after one period 2 pi sqrt(a^3/GM); the start is at the perihelion.
// run: --rtol 1e-8
model HealthyEarthAboutTheSun
  parameter Real a = 1.4959787e11, x0 = 1.4709845e11, T = 31558149.5, pi = 3.141592653589793;
  parameter Real GM = 4*pi^2*a^3/T^2;
  Real x(start = x0, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true), w(start = sqrt(GM*(2/x0 - 1/a)), fixed = true), r;
equation
  r = sqrt(x^2 + y^2);
  der(x) = u;
  der(y) = w;
  der(u) = -GM*x/r^3;
  der(w) = -GM*y/r^3;
  annotation(experiment(StopTime = 31558149.5));
end HealthyEarthAboutTheSun;
