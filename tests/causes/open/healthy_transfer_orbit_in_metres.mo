// cause: none
// expect: x(18990.0518385) = -4.2164e7 +- 2e3; vy(18990.0518385) = -1607.82757 +- 0.2
// run: --rtol 1e-9
// why: half an ellipse from 6678 km to 42164 km; SI units, numbers from 1e3 to 4e14. Kepler's laws give time, place and speed.
model HealthyTransferOrbitInMetres "transfer to the geostationary orbit"
  parameter Real mu = 3.986004418e14;
  Real x(start = 6.678e6, fixed = true), y(start = 0, fixed = true), vx(start = 0, fixed = true), vy(start = 10151.6085074, fixed = true), r(start = 6.678e6);
equation
  der(x) = vx;
  der(y) = vy;
  r^2 = x^2 + y^2;
  der(vx) = -mu*x/r^3;
  der(vy) = -mu*y/r^3;
  annotation(experiment(StopTime = 18990.0518385));
end HealthyTransferOrbitInMetres;
