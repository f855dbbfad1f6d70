// cause: tolerance_too_small
// run: --rtol 0 --atol 1e-12
// culprits: x, y, vx, vy
// why: the coordinates are of the size 4e7 m, where neighbouring numbers are 7.5e-9 m apart; an error of 1e-12 m is
//     demanded.
model SatelliteToThePicometre "geostationary orbit in metres and seconds"
  parameter Real mu = 3.986004418e14, r0 = 4.2164e7;
  Real x(start = r0, fixed = true), y(start = 0, fixed = true), r;
  Real vx(start = 0, fixed = true), vy(start = sqrt(mu/r0), fixed = true);
equation
  r = sqrt(x^2 + y^2);
  der(x) = vx;
  der(y) = vy;
  der(vx) = -mu*x/r^3;
  der(vy) = -mu*y/r^3;
  annotation(experiment(StopTime = 3600));
end SatelliteToThePicometre;
